import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect } from '#test/support/collect.ts';
import { UnreadableRow } from '../source.ts';
import { createFileSource, type FileFormat } from './fileSource.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-source-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;

async function read(content: string | Uint8Array, format: FileFormat = 'csv', ignoreUnknown = false) {
  files += 1;
  const path = join(folder, `${files}.${format}`);
  await writeFile(path, content);
  const source = createFileSource(path, format, { ignoreUnknown, replace: false });
  const pages = await collect(source.pages());
  const records = pages.flatMap((page) => page.records);
  return { records, absent: source.keptColumns?.() ?? [], notes: source.notes?.() ?? [] };
}

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const windows1252 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('a header', () => {
  test.each([
    ['Wordpress ID,NAME,e-mail,Zip Code', ['wordpress_id', 'name', 'email', 'zip_code']],
    ['wordpress-id;Title;E Mail;Postal Code', ['wordpress_id', 'name', 'email', 'zip_code']],
    ['\ufeffWordPress_Id\tPhone\tLAT\tLng', ['wordpress_id', 'phone', 'latitude', 'longitude']],
    ['"id","Telephone","Long","Website"', ['wordpress_id', 'phone', 'longitude', 'website']],
    ['id,practiceName,zipCode,Lon,URL', ['wordpress_id', 'practice_name', 'zip_code', 'longitude', 'url']],
    ['post id,Accepts Financing', ['wordpress_id', 'accepts_financing']],
    ['ＩＤ, Phone Number ,ZIP', ['wordpress_id', 'phone', 'zip_code']],
    [
      'id,wordpress_id,name,practiceName,email,phone,address,zipCode,website,status,leadCount',
      [
        ...['wordpress_id', 'name', 'practice_name', 'email', 'phone', 'address', 'zip_code', 'website'],
        'status',
      ],
    ],
  ])('%j names the fields %j', async (header, fields) => {
    const separator = /[,;\t]/.exec(header)?.[0] ?? ',';
    const row = header.split(separator).map((_, at) => String(at + 1));
    const { records, notes } = await read(`${header}\n${row.join(separator)}\n`);
    expect(records.map((record) => Object.keys(Object(record)))).toEqual([fields]);
    expect(notes).toEqual([]);
  });

  test('of WP Store Locator is read, and what has no place here is named', async () => {
    const header =
      'wpsl_id,name,address,address2,city,state,zip,country,country_iso,lat,lng,phone,fax,email,url,hours';
    const { records, notes } = await read(
      `${header}\n7,A,1 St,,Denver,CO,80202,US,US,39.7,-104.9,1,2,a@b.co,c.co,x`,
    );
    expect(records).toEqual([
      {
        ...{ wordpress_id: '7', name: 'A', address: '1 St', zip_code: '80202', latitude: '39.7' },
        ...{ longitude: '-104.9', phone: '1', email: 'a@b.co', website: 'c.co' },
      },
    ]);
    expect(notes).toEqual([
      'Columns that were not imported: “address2”, “city”, “state”, “country”, “country_iso”, “fax”, “hours”.',
    ]);
  });

  test('with wpsl_ before each name is read', async () => {
    const { records } = await read('wpsl_id,wpsl_name,wpsl_zip,wpsl_lat,wpsl_url\n7,A,80202,39.7,c.co');
    expect(records).toEqual([
      { wordpress_id: '7', name: 'A', zip_code: '80202', latitude: '39.7', website: 'c.co' },
    ]);
  });

  test('of WP Go Maps needs the WordPress id, because its id is a marker’s', async () => {
    const header =
      'id,map_id,address,description,pic,link,icon,lat,lng,anim,title,infoopen,category,approved,retina';
    const row = '1,1,"1 St",,p.png,c.co,,39.7,-104.9,0,A,0,0,1,0';
    await expect(read(`${header}\n${row}`)).rejects.toThrow('The file has no column wordpress_id');
    expect((await read(`${header},wordpress_id\n${row},7`)).records).toEqual([
      {
        ...{ address: '1 St', image_url: 'p.png', url: 'c.co', latitude: '39.7', longitude: '-104.9' },
        ...{ name: 'A', wordpress_id: '7' },
      },
    ]);
  });

  test('of WP Maps is read beside the WordPress id', async () => {
    const header =
      'wordpress_id,title,description,marker,logo,city,street,state,country,postal_code,lat,lng,phone,website,fax,open_hours,fb_url';
    const { records, absent } = await read(`${header}\n${'1,'.repeat(16)}1`);
    expect(Object.keys(Object(records[0]))).toEqual([
      ...['wordpress_id', 'name', 'logo_url', 'address', 'zip_code', 'latitude', 'longitude', 'phone'],
      'website',
    ]);
    expect(absent).toContain('email');
  });

  test('without the WordPress id is refused, also where only the id of an export is left', async () => {
    await expect(read('name,email\nA,a@b.co')).rejects.toThrow('The file has no column wordpress_id');
    await expect(read('id,name,leadCount\n1,A,2')).rejects.toThrow('The file has no column wordpress_id');
    await expect(read('')).rejects.toThrow('The file has no header');
  });

  test('with an unknown name is refused by it; --ignore-unknown leaves the column out', async () => {
    const file = 'wordpress_id,Fone,name,Notes\n1,2,A,4';
    await expect(read(file)).rejects.toThrow(
      /^The file has columns with unknown names: “Fone”, “Notes”\. .*wordpress_id, name, .*--ignore-unknown\.$/,
    );
    const { records, notes } = await read(file, 'csv', true);
    expect(records).toEqual([{ wordpress_id: '1', name: 'A' }]);
    expect(notes).toEqual(['Columns that were not imported: “Fone”, “Notes”.']);
  });

  test('that no separator splits says so', async () => {
    await expect(read('wordpress_id|name|email\n1|A|b')).rejects.toThrow(
      'The header has one column. Separate columns with commas, semicolons or tabs.',
    );
  });

  test('with two columns of one meaning is refused by their names', async () => {
    await expect(read('wordpress_id,zip,Postal Code\n1,2,3')).rejects.toThrow(
      'The columns “zip”, “Postal Code” have the same meaning: ZIP code. Remove all but one.',
    );
    await expect(read('wordpress_id,wp id\n1,2')).rejects.toThrow('“wordpress_id”, “wp id”');
  });

  test('names the columns that the file doesn’t have', async () => {
    const { absent } = await read('wordpress_id,name,email,zip_code\n1,A,a@b.co,80202');
    expect(absent).toEqual([
      ...['practice_name', 'address', 'status', 'latitude', 'longitude', 'phone', 'website', 'url', 'domain'],
      ...['google_ads_id', 'bing_ads_id', 'image_url', 'logo_url', 'accepts_free_consultation'],
      ...['accepts_financing', 'clinician_name', 'credential', 'npi', 'certified_since', 'about', 'hours'],
      ...['time_zone', 'languages', 'pictures', 'booking_url'],
    ]);
  });

  test('ends before empty names, as spreadsheets leave them', async () => {
    const { records } = await read('wordpress_id,name,,\n1,A,,\n,,,\n2,B,,\n');
    expect(records).toEqual([
      { wordpress_id: '1', name: 'A' },
      { wordpress_id: '2', name: 'B' },
    ]);
  });
});

const text = 'wordpress_id,name,address\r\n7,"Núñez, ""the"" Clinic","1 St;\r\n2nd floor"\r\n';
const record = { wordpress_id: '7', name: 'Núñez, "the" Clinic', address: '1 St;\r\n2nd floor' };

describe('a CSV file', () => {
  test.each<[string, string | Uint8Array]>([
    ['UTF-8', text],
    ['UTF-8 with a byte order mark', `\ufeff${text}`],
    ['UTF-16 LE with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE with a byte order mark', utf16be(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(text, 'utf16le')],
    ['UTF-16 BE', utf16be(text)],
    ['semicolons', text.replaceAll(/,(?! )/g, ';')],
    ['tabs', text.replaceAll(/,(?! )/g, '\t')],
    ['tabs in UTF-16 LE', Buffer.from(`\ufeff${text.replaceAll(/,(?! )/g, '\t')}`, 'utf16le')],
    ['a line sep=,', `sep=,\r\n${text}`],
    ['a line sep=;', `\ufeffsep=;\n${text.replaceAll(/,(?! )/g, ';')}`],
    ['a quoted line sep=TAB', `"sep=\t"\n${text.replaceAll(/,(?! )/g, '\t')}`],
    ['line feeds', text.replaceAll(/(?<!;)\r\n/g, '\n')],
    ['blanks around cells', text.replaceAll(/,(?! )/g, ' , ')],
    ['empty lines', `\n\r\n${text}\n\n`],
  ])('in %s is read', async (_, content) => {
    expect((await read(content)).records).toEqual([record]);
  });

  test('with carriage returns only is read', async () => {
    expect((await read('wordpress_id,name\r1,A\r2,B')).records).toEqual([
      { wordpress_id: '1', name: 'A' },
      { wordpress_id: '2', name: 'B' },
    ]);
  });

  test.each<[string, string, Uint8Array]>([
    ['Windows-1252', 'The file isn’t UTF-8 (line 3).', windows1252('wordpress_id,name\n1,A\n2,Núñez\n')],
    ['Windows-1252, cut in a letter', 'The file isn’t UTF-8', windows1252('wordpress_id,name\n1,Ã')],
    ['a workbook', 'The file is a spreadsheet’s workbook', Buffer.from('PK\u0003\u0004rest')],
    ['an old workbook', 'The file is a spreadsheet’s workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['UTF-32', 'The file isn’t text.', Buffer.from('fffe00007700000070000000', 'hex')],
    ['zero bytes', 'The file isn’t text.', Buffer.from('wordpress_id,name\n1,A\0B\n')],
    ['odd UTF-16', 'The file isn’t UTF-8.', Buffer.from('fffe770070', 'hex')],
  ])('in %s is refused, and says what to do in a spreadsheet', async (_, message, content) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.toThrow('choose Save As and the type “CSV UTF-8”');
  });

  test('names the line of a wrong byte far into the file', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `${at + 1},Clínica ${at}\n`).join('');
    const bytes = Buffer.concat([
      Buffer.from(`wordpress_id,name\n${rows}`),
      windows1252('1,Ñ\n'),
      Buffer.from(rows),
    ]);
    await expect(read(bytes)).rejects.toThrow('(line 20,002)');
  });

  test.each([
    ['="02139"', '02139'],
    ['"=""02139"""', '02139'],
    ["'+1 617 555 0109", '+1 617 555 0109'],
    ["''=x", "'=x"],
    ["'tis", "'tis"],
    ['The "Best" Clinic', 'The "Best" Clinic'],
    ['"""Best"" Clinic"', '"Best" Clinic'],
    ['  A  ', 'A'],
    ['A\u00a0', 'A'],
  ])('with the cell %j has the value %j', async (cell, value) => {
    expect((await read(`wordpress_id,name\n1,${cell}\n2,B\n`)).records).toEqual([
      { wordpress_id: '1', name: value },
      { wordpress_id: '2', name: 'B' },
    ]);
  });
});

describe('a row that can’t be read costs only itself and is named by its line', () => {
  const good = (id: number) => ({ wordpress_id: String(id), name: 'A', address: 'B' });
  test.each([
    ['1,A,B\n2,A\n3,A,B', 'the header has 3. A spreadsheet may have left out empty cells', 2],
    ['1,A,B\n2,A,1 St, Denver\n3,A,B', 'Line 3 has 4 cells, and the header has 3.', 2],
    ['1,A,B\nDr. A, 2,B,C\n3,A,B', 'Line 3 has 4 cells, and the header has 3.', null],
    ['1,A,B\n2,"A,B\n3,A,B', 'Line 3 has a quotation mark that isn’t closed', 2],
    ['1,A,B\n2,"A" B,C\n3,A,B', 'Line 3 has a quotation mark that isn’t closed', 2],
    ['1,A,B\n2,"A,B\n3,A,"B"', 'Line 3 has a quotation mark that isn’t closed', 2],
    ['1,A,B\n"\n3,A,B', 'Line 3 has a quotation mark that isn’t closed', null],
  ])('%j', async (rows, reason, wordpressId) => {
    const { records } = await read(`wordpress_id,name,address\n${rows}\n`);
    expect(records).toEqual([good(1), expect.any(UnreadableRow), good(3)]);
    expect(records[1]).toMatchObject({ reason: expect.stringContaining(reason), wordpressId });
  });

  test('also with a mark that a later row seems to close', async () => {
    const { records } = await read('wordpress_id,name,address\n1,"Alpha,1 St\n2,Beta 5",2 St\n3,A,B\n');
    expect(records).toEqual([
      expect.objectContaining({ wordpressId: 1, reason: expect.stringContaining('isn’t closed') }),
      { wordpress_id: '2', name: 'Beta 5"', address: '2 St' },
      good(3),
    ]);
    const lines = { wordpress_id: '1', name: 'A', address: '1 St, Denver\n2, second floor\n3' };
    const cell = `wordpress_id,name,address\n1,A,"${lines.address}"\n`;
    expect((await read(cell)).records).toEqual([lines]);
  });

  test('also with a mark near the start of a long file', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => `${at + 2},A,B`).join('\n');
    const { records } = await read(`wordpress_id,name,address\n1,"A,B\n${rows}\n`);
    expect(records[0]).toMatchObject({ wordpressId: 1 });
    expect(records.slice(1)).toEqual(Array.from({ length: 500 }, (_, at) => good(at + 2)));
  });
});

test.each<[FileFormat, string]>([
  ['json', '[{"wordpress_id":1,"name":"Núñez"}]'],
  ['ndjson', '{"wordpress_id":1,"name":"Núñez"}\n'],
])('%s is read in UTF-8 and UTF-16, and refused in another encoding', async (format, content) => {
  const expected = [{ wordpress_id: 1, name: 'Núñez' }];
  for (const bytes of [
    content,
    `\ufeff${content}`,
    Buffer.from(`\ufeff${content}`, 'utf16le'),
    utf16be(`\ufeff${content}`),
  ])
    expect((await read(bytes, format)).records).toEqual(expected);
  await expect(read(windows1252(content), format)).rejects.toThrow('The file isn’t UTF-8 (line 1).');
});
