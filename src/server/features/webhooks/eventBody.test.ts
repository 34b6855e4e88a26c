import { expect, test } from 'vitest';
import { storedResponse } from './eventBody.ts';

const thin = JSON.stringify({ type: 'lead.created', data: { id: 1, provider_id: null } });
const full = JSON.stringify({
  type: 'lead.created',
  data: { id: 1, first_name: 'Ada', last_name: 'Reed', email: 'ada@mail.example', phone: '303 555 0100' },
});
const kept = (answer: string, sent = thin): string | null => storedResponse(answer, sent);

test('contact details that were sent, or look like any, are not kept', () => {
  const answer =
    'Thanks Ada Reed (303 555 0100): stored as +1 (303) 555-0100, other@mail.example, row 12345.';
  const said = kept(answer, full);
  expect(said).toBe('Thanks […] ([…]): stored as […], […], row 12345.');
  expect(kept(String.raw`ADA \u0052eed, adamant`, full)).toBe('[…], adamant');
});

test('a kilobyte is kept, without characters Postgres refuses; an empty answer is none', () => {
  expect(kept(`${'x'.repeat(1023)} `.repeat(5))).toHaveLength(1024);
  expect(kept('a\0b')).toBe('a b');
  expect(kept('')).toBeNull();
});
