export type CsvValue = string | number | boolean | null;

/** UTF-8's mark, without which spreadsheets read another encoding. */
export const byteOrderMark = '\ufeff';
const lineEnd = '\r\n';

/**
 * Where a spreadsheet could see a formula (OWASP, "CSV injection"): at the start of a cell, and behind any separator in it, since a spreadsheet
 * set up for another country splits at semicolons or tabs and doesn't respect our quotes. Full-width characters count in East Asian setups.
 */
const formulaAt = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;,\t\r\n])(?="*[=+\-@＝＋－＠])/gu;
const mayHoldFormula = /[=+\-@＝＋－＠\t\r\n]/u;
const needsQuotes = /[",\r\n]/;

function cell(value: CsvValue): string {
  if (value === null || value === '') return '';
  if (typeof value !== 'string') return String(value);
  const text = mayHoldFormula.test(value) ? value.replace(formulaAt, "'") : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record by RFC 4180, its line end included; text that a spreadsheet would run is made plain by a `'` in front of it. */
export function csvLine(values: readonly CsvValue[]): string {
  let line = cell(values[0] ?? null);
  for (let index = 1; index < values.length; index += 1) line += `,${cell(values[index] ?? null)}`;
  return line + lineEnd;
}
