/**
 * Where a spreadsheet could see a formula (OWASP, "CSV injection"): at the start of a cell, and after a separator
 * inside a cell, since spreadsheets in some countries split at semicolons or tabs and ignore quotes. East Asian
 * spreadsheets accept full-width characters. Apostrophes in front count, so that a guard can be removed again.
 */
const formulaAt = /^(?='*[=+\-@＝＋－＠\t\r\n])|(?<=[;,\t\r\n])(?='*"*[=+\-@＝＋－＠])/gu;
const guardAt = /^'(?='*[=+\-@＝＋－＠\t\r\n])|(?<=[;,\t\r\n])'(?='*"*[=+\-@＝＋－＠])/gu;

/** A cell's text with an apostrophe before each formula, which makes it plain text. */
export function guardFormulas(text: string): string {
  return text.replace(formulaAt, "'");
}

/** The text that `guardFormulas` was given. */
export function removeGuards(text: string): string {
  return text.replace(guardAt, '');
}
