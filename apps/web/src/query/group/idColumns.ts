/** Whether a column is called what tells one thing from all others. */
export const soundsLikeId = (name: string): boolean =>
  /(^|[_.])(id|uid|key|trace|session)$/i.test(name);
