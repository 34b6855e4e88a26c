import { resolveColor } from './mapColors.ts';

/** A drop whose point is the place: 28 by 36 px, point down. */
const width = 28;
const height = 36;
const drop = 'M14 35C14 35 26 22.5 26 13.6C26 7.2 20.6 2 14 2C7.4 2 2 7.2 2 13.6C2 22.5 14 35 14 35Z';
/** Drawn large enough for any screen. */
const pixelRatio = 3;

export interface PinImage {
  data: ImageData;
  pixelRatio: number;
}

/** The drop in one colour, with a white rim and eye. Null where the browser can't draw. */
export function pinImage(color: string): PinImage | null {
  const canvas = document.createElement('canvas');
  canvas.width = width * pixelRatio;
  canvas.height = height * pixelRatio;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.scale(pixelRatio, pixelRatio);
  const shape = new Path2D(drop);
  context.fillStyle = resolveColor(color);
  context.fill(shape);
  context.strokeStyle = '#ffffff';
  context.lineWidth = 1.6;
  context.stroke(shape);
  context.fillStyle = '#ffffff';
  context.beginPath();
  context.arc(14, 13.6, 4.4, 0, 2 * Math.PI);
  context.fill();
  return { data: context.getImageData(0, 0, canvas.width, canvas.height), pixelRatio };
}
