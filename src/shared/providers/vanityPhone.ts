/** Keys of a phone for the letters A to Z. */
const keys = '22233344455566677778889999';
const lettersMin = 3;
/** Area code and number. Exchanges ignore what is dialed after them. */
const numberLength = 10;
/** What people write: 1-800-NEW-SMILES has one letter more than a number. */
const typedLengthMax = 14;

/**
 * The number of a North American phone number that is spelled in letters, such as 1-800-GOT-SKIN, in ten digits; null
 * for any other text. A text whose digits are a whole number has letters that aren't part of it.
 */
export function vanityNumber(text: string): string | null {
  const compact = text.toUpperCase().replace(/[\s().-]/g, '');
  const [, area, rest] = /^(?:\+?1)?([2-9]\d{2})([A-Z0-9]+)$/.exec(compact) ?? [];
  if (area === undefined || rest === undefined) return null;
  const letters = rest.replace(/\d/g, '').length;
  const length = area.length + rest.length;
  const isWhole = length - letters >= numberLength;
  if (isWhole || letters < lettersMin || length < numberLength || length > typedLengthMax) return null;
  const digits = rest.replace(/[A-Z]/g, (letter) => keys.charAt(letter.charCodeAt(0) - 65));
  return `${area}${digits}`.slice(0, numberLength);
}
