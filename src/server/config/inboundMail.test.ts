import { expect, test } from 'vitest';
import { parseConfig } from './config.ts';

test('inbound mail needs its address and its secret', () => {
  const secret = `whsec_${'A'.repeat(44)}`;
  const half = 'INBOUND_MAIL_ADDRESS, INBOUND_MAIL_SECRET: set both or neither';
  expect(() => parseConfig({ INBOUND_MAIL_ADDRESS: 'stop@reply.example' })).toThrow(half);
  expect(() => parseConfig({ INBOUND_MAIL_SECRET: secret })).toThrow(half);
  const both = { INBOUND_MAIL_ADDRESS: 'stop@reply.example', INBOUND_MAIL_SECRET: secret };
  expect(parseConfig(both).inboundMail).toEqual({ address: 'stop@reply.example', secret });
});
