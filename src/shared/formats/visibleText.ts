/** Direction marks, soft hyphens, joiners, fillers and others that are never displayed. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** A text without characters that nobody sees: they reorder, hide or imitate what others read. */
export function visibleText(text: string): string {
  return text.replace(invisible, '');
}
