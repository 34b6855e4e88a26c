import { wordmark } from '../brand/brand.ts';
import { brandColors } from '../brand/colors.ts';
import { textTag } from '../formats/textTag.ts';

/**
 * The wordmark above a message, an image because mail programs don't show SVG. In CSS pixels; the file has twice as
 * many.
 */
export const mailLogoSize = { width: 160, height: 44 } as const;

/** Raise it when the drawing changes, so that the address changes too. */
const drawing = 1;

/**
 * The path of the logo (server/render/shareImages/shareImages.ts). It changes with the content, so caches may keep the
 * logo forever.
 */
export const mailLogoPath = `/og/mail/${textTag(JSON.stringify([drawing, wordmark, brandColors.primary]))}.png`;
