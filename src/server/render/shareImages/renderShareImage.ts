import satori from 'satori';
import { brand } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { type ShareImage, shareImageSize } from '#shared/shareImages/shareImage.ts';
import { fontFile, logoSvg, renderSvg } from './renderSvg.ts';

const { width, height } = shareImageSize;
const margin = 80;
/** Of what is above the span. */
const top = 72;
const textWidth = 1040;
const lettersMax = 160;

/** Latin scripts, which the typeface contains. */
const fonts = ([400, 700] as const).flatMap((weight) => [
  { name: 'Figtree', weight, style: 'normal' as const, data: fontFile('latin', weight, 'woff') },
  { name: 'Figtree ext', weight, style: 'normal' as const, data: fontFile('latin-ext', weight, 'woff') },
]);

/** Emoji and letters of other scripts would only be boxes. Control characters do not belong in a name. */
const undrawable =
  /[[\p{Extended_Pictographic}--[©®™]]\p{Emoji_Modifier}\p{Regional_Indicator}\p{C}\uFE0F\u20E3]/gv;
const otherLetters = /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Inherited}]]/gv;

/** A name that can be drawn: well-formed, on one line, and short enough for a cheap layout. */
export function drawableName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[\s\uFFFD]+/gu, ' ');
  const letters = plain.replaceAll(undrawable, '').replaceAll(otherLetters, '');
  return letters.replaceAll(/ +/g, ' ').trim().slice(0, lettersMax).toWellFormed();
}

const sizeMax = 96;
const sizeMin = 54;
/** The width of an average letter as a fraction of the font size. */
const letterWidth = 0.56;

/**
 * The largest size that fits a name in three lines and its longest word on one. Below the smallest, it is truncated.
 */
function titleSize(title: string): number {
  const longestWord = Math.max(...title.split(' ').map((word) => word.length), 1);
  const forWord = textWidth / (longestWord * letterWidth);
  const forLines = (3 * 0.85 * textWidth) / (title.length * letterWidth);
  return Math.round(Math.max(sizeMin, Math.min(sizeMax, forWord, forLines)));
}

function text(style: Record<string, string | number>, children: string) {
  return { type: 'div', key: null, props: { style, children } };
}

/**
 * The text of the image: what it is, and whose it is. The name is a provider's mark if it has no logo, so the line that
 * names the brand moves to the top.
 */
function titleSvg({ provider }: ShareImage, hasLogo: boolean): Promise<string> {
  const name = provider === null ? '' : drawableName(provider);
  // A name without a letter of the typeface would be a row of boxes.
  const title = /[\p{Script=Latin}\d]/u.test(name) ? name : brand.tagline;
  const heading = text(
    {
      display: 'block',
      fontSize: titleSize(title),
      fontWeight: 700,
      letterSpacing: '-0.025em',
      lineHeight: 1.1,
      lineClamp: 3,
      wordBreak: 'break-word',
    },
    title,
  );
  const above =
    provider === null
      ? []
      : [
          text(
            { fontSize: 34, marginBottom: 20, opacity: 0.75 },
            `${chrome.certifiedProviderOf} ${brand.name}`,
          ),
        ];
  const column = {
    display: 'flex',
    flexDirection: 'column',
    justifyContent: provider === null || hasLogo ? 'flex-end' : 'space-between',
    width: textWidth,
    height: height - margin - top,
    paddingTop: top,
    marginLeft: margin,
    color: brandColors.ink,
    fontFamily: 'Figtree, Figtree ext',
  };
  return satori(
    { type: 'div', key: null, props: { style: column, children: [...above, heading] } },
    { width, height, fonts },
  );
}

/** A span across the image: the last part, with its ticks, is the gain. */
function span(accent: string): string {
  const [from, gain, to, y] = [margin, 900, width - margin, 250] as const;
  const tick = (x: number, rise: number): string => `M${x} ${y - rise}V${rise === 26 ? y + rise : y}`;
  const ticks = Array.from({ length: 9 }, (_, at) => tick(gain + ((to - gain) * (at + 1)) / 10, 18)).join('');
  return [
    `<path d="M${from} ${y}H${gain}${tick(from, 26)}${tick(gain, 26)}" stroke="${brandColors.ink}" stroke-width="4" fill="none"/>`,
    `<path d="${ticks}" stroke="${accent}" stroke-width="2" fill="none"/>`,
    `<path d="M${gain} ${y}H${to}${tick(to, 26)}" stroke="${accent}" stroke-width="7" fill="none"/>`,
  ].join('');
}

/** In the place of the brand's wordmark. */
const logoBox = { width: 560, height: 100 };

function logoImage(logo: string): string {
  const { width: boxWidth, height: boxHeight } = logoBox;
  return `<image x="${margin}" y="${top}" width="${boxWidth}" height="${boxHeight}" preserveAspectRatio="xMinYMid meet" href="${logo}"/>`;
}

/** Whether anything of a logo is seen on white. One that can't be read, or is white, leaves the drawing as it is. */
function isSeen(logo: string): boolean {
  const draw = (content: string): Buffer =>
    Buffer.from(renderSvg(`${opening}${content}</svg>`, { fit: () => ({ mode: 'width', value: 600 }) }));
  return !draw(logoImage(logo)).equals(draw(''));
}

const opening = [
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
  `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
].join('');

/** The brand's wordmark, or a provider's logo; nothing for a provider without one that can be drawn. */
function markSvg({ provider }: ShareImage, logo: string | null): string {
  if (provider === null)
    return logoSvg({ x: margin, y: top, width: 270, height: 70, color: brandColors.ink });
  return logo === null ? '' : logoImage(logo);
}

/** Draws the image as PNG. Uses a core for about 50 ms, so it runs in a worker (paintWorker.ts). */
export async function renderShareImage(image: ShareImage): Promise<Uint8Array> {
  const { hue } = image;
  const accent = hue === null ? brandColors.accent : hexColor(hueShades.accent, hue);
  const logo = image.logo !== undefined && isSeen(image.logo) ? image.logo : null;
  const title = await titleSvg(image, logo !== null);
  const svg = [opening, span(accent), markSvg(image, logo), title, '</svg>'].join('');
  return renderSvg(svg);
}
