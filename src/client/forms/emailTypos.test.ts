import { expect, test } from 'vitest';
import { suggestEmail } from './emailTypos.ts';

test.each([
  ['marco@gmial.con', 'marco@gmail.com'],
  ['marco@gmial.com', 'marco@gmail.com'],
  ['Marco.Polo+x@GMAIL.CON', 'Marco.Polo+x@gmail.com'],
  ['marco@gmail.cmo', 'marco@gmail.com'],
  ['marco@gmail.co', 'marco@gmail.com'],
  ['marco@gmail', 'marco@gmail.com'],
  ['marco@gmailcom', 'marco@gmail.com'],
  ['marco@gmail,com', 'marco@gmail.com'],
  ['marco@yaho.com', 'marco@yahoo.com'],
  ['marco@yahooo.com', 'marco@yahoo.com'],
  ['marco@hotnail.com', 'marco@hotmail.com'],
  ['marco@iclould.com', 'marco@icloud.com'],
  ['marco@comcast.nte', 'marco@comcast.net'],
  ['marco@cox.ent', 'marco@cox.net'],
  ['ada@quill-clinic.con', 'ada@quill-clinic.com'],
])('%s may mean %s', (typed, meant) => {
  expect(suggestEmail(typed)).toBe(meant);
});

test.each([
  ...['marco@gmail.com', 'marco@mail.com', 'marco@ymail.com', 'marco@email.com', 'marco@GMail.com'],
  ...['marco@yahoo.ca', 'marco@yahoo.co.uk', 'marco@yahoo.com.mx', 'marco@hotmail.fr', 'marco@outlook.de'],
  ...['marco@live.ca', 'marco@we.com', 'marco@max.com', 'marco@gmx.de', 'marco@fastmail.fm', 'marco@aol.co'],
  ...['ada@quill-clinic.com', 'ada@quill.co', 'ada@example.cm', 'ada@uni.edu', 'marco@mail.gmail.com'],
  ...['', '@', 'marco', 'marco@', '@gmial.com', 'gmial.com'],
])('%j is not questioned', (typed) => {
  expect(suggestEmail(typed)).toBeNull();
});
