/** A cell as Postgres sends it, in UTF-8. */
export type CsvBytes = Uint8Array | null;

const quote = 0x22;
const comma = 0x2c;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const apostrophe = 0x27;
const formulaStarts = new Set(Buffer.from('=+-@\t\r\n'));
const firstSize = 64 * 1024;

/**
 * Writes records as `csvLine` does, byte for byte, without making strings of what comes from the database and goes to the reader as UTF-8: it takes
 * a fraction of the time.
 */
export class CsvRecords {
  #bytes = Buffer.allocUnsafe(firstSize);
  #length = 0;

  /** Adds one record, its line end included. */
  add(cells: readonly CsvBytes[]): void {
    this.#makeRoom(cells);
    for (let index = 0; index < cells.length; index += 1) {
      if (index > 0) this.#put(comma);
      const cell = cells[index] ?? null;
      if (cell !== null && cell.length > 0) this.#addCell(cell);
    }
    this.#put(carriageReturn);
    this.#put(lineFeed);
  }

  /** The records added since the last time. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    // The next are as many, about.
    this.#bytes = Buffer.allocUnsafe(Math.max(firstSize, taken.length));
    this.#length = 0;
    return taken;
  }

  #put(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** Every byte may be a quote to be doubled; beside them stand an apostrophe, two quotes and a comma. */
  #makeRoom(cells: readonly CsvBytes[]): void {
    let needed = this.#length + 2;
    for (const cell of cells) needed += 2 * (cell?.length ?? 0) + 4;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  /** Copied as it is; whatever needs quotes is noticed on the way and done again. */
  #addCell(cell: Uint8Array): void {
    const bytes = this.#bytes;
    const isFormula = formulaStarts.has(cell[0] ?? 0);
    let at = this.#length;
    if (isFormula) bytes[at++] = apostrophe;
    for (let index = 0; index < cell.length; index += 1) {
      const byte = cell[index] ?? 0;
      if (byte === quote || byte === comma || byte === carriageReturn || byte === lineFeed) {
        this.#addQuoted(cell, isFormula);
        return;
      }
      bytes[at++] = byte;
    }
    this.#length = at;
  }

  #addQuoted(cell: Uint8Array, isFormula: boolean): void {
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = quote;
    if (isFormula) bytes[at++] = apostrophe;
    for (let index = 0; index < cell.length; index += 1) {
      const byte = cell[index] ?? 0;
      if (byte === quote) bytes[at++] = quote;
      bytes[at++] = byte;
    }
    bytes[at++] = quote;
    this.#length = at;
  }
}
