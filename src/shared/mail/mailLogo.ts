import { wordmark } from '../brand/brand.ts';
import { brandColors } from '../brand/colors.ts';
import { textTag } from '../formats/textTag.ts';

/** The wordmark above a message, as a picture: mail programs draw no SVG. In CSS pixels; the file has twice as many. */
export const mailLogoSize = { width: 160, height: 44 } as const;

/** Raised whenever the logo is drawn differently, so that its address changes with it. */
const drawing = 1;

/** Where the logo lies (server/render/shareImages/shareImages.ts). Its address changes with whatever it shows, so it may be kept for ever. */
export const mailLogoPath = `/og/mail/${textTag(JSON.stringify([drawing, wordmark, brandColors.primary]))}.png`;
