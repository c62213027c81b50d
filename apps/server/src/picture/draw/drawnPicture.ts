/** What the bundle draws. */
export interface DrawnPicture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}
