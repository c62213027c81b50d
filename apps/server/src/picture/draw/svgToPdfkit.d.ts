declare module "svg-to-pdfkit" {
  interface SvgOptions {
    readonly width?: number;
    readonly height?: number;
    readonly assumePt?: boolean;
    readonly preserveAspectRatio?: string;
    readonly fontCallback?: (family: string, isBold: boolean, isItalic: boolean) => string;
    readonly imageCallback?: (link: string) => string;
    readonly warningCallback?: (text: string) => void;
  }
  export default function printSvg(
    pdf: PDFKit.PDFDocument,
    svg: string,
    x: number,
    y: number,
    options?: SvgOptions,
  ): void;
}
