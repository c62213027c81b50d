/** The cookie of a session. */
export const sessionCookie = "hadal_session";
