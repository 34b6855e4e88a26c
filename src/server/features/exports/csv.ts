export type CsvValue = string | number | boolean | null;

/** UTF-8's mark, without which spreadsheets read another encoding. */
export const byteOrderMark = '\ufeff';
const lineEnd = '\r\n';

/** What makes a spreadsheet take a cell for a formula (OWASP, "CSV injection"). */
const formulaStart = /^[=+\-@\t\r\n]/;
const needsQuotes = /[",\r\n]/;

function cell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record by RFC 4180, its line end included; text that a spreadsheet would run is made plain by a leading `'`. */
export function csvLine(values: readonly CsvValue[]): string {
  let line = '';
  for (const [index, value] of values.entries()) line += index === 0 ? cell(value) : `,${cell(value)}`;
  return line + lineEnd;
}
