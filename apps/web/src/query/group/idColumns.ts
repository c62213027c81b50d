/** Whether a column's name suggests a unique id. */
export const soundsLikeId = (name: string): boolean =>
  /(^|[_.])(id|uid|key|trace|session)$/i.test(name);
