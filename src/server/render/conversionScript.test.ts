import { expect, onTestFinished, test, vi } from 'vitest';
import { type Conversion, reportConversion } from './conversionScript.ts';

interface AddedScript {
  src: string;
  onLoad: (() => void) | null;
}

/** Runs the frame's script with this data in a page with these queues. Returns the queues and the scripts it loads. */
function report(conversion: Conversion, queues: Record<string, unknown> = {}) {
  const added: AddedScript[] = [];
  const createElement = (): AddedScript & { addEventListener: (event: string, run: () => void) => void } => ({
    src: '',
    onLoad: null,
    addEventListener(_, run) {
      this.onLoad = run;
    },
  });
  vi.stubGlobal('window', queues);
  vi.stubGlobal('document', {
    querySelector: () => ({ textContent: JSON.stringify(conversion) }),
    createElement,
    head: { append: (script: AddedScript) => added.push(script) },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  reportConversion();
  return { queues, added };
}

/** What Google's script finds: the arguments of each call. */
function callsIn(queues: Record<string, unknown>): unknown[][] {
  const { dataLayer } = queues;
  return Array.isArray(dataLayer) ? dataLayer.map((call: ArrayLike<unknown>) => Array.from(call)) : [];
}

const conversion: Conversion = {
  google: { tagId: 'AW-111', sendTo: 'AW-111/label', event: 'conversion' },
  microsoft: null,
  transactionId: 'd4f1',
  origin: 'https://clinic.example/',
};

test('Google gets the denials before the one consent, then the lead’s origin only', () => {
  const { queues, added } = report(conversion);
  const calls = callsIn(queues);
  expect(calls.map(([command, detail]) => [command, detail]).slice(0, 2)).toEqual([
    ['consent', 'default'],
    ['consent', 'update'],
  ]);
  expect(Object.values(Object(calls[0]?.[2]))).toEqual(['denied', 'denied', 'denied', 'denied']);
  expect(calls[1]?.[2]).toEqual({ ad_storage: 'granted' });
  expect(calls.find(([command]) => command === 'set')?.[1]).toMatchObject({
    page_location: 'https://clinic.example/',
    page_referrer: '',
    allow_ad_personalization_signals: false,
  });
  expect(calls.at(-1)).toEqual(['event', 'conversion', { send_to: 'AW-111/label', transaction_id: 'd4f1' }]);
  expect(added.map(({ src }) => src)).toEqual(['https://www.googletagmanager.com/gtag/js?id=AW-111']);
});

test('Microsoft gets the same, and its tag starts with no page view and no cookies', () => {
  const started: unknown[] = [];
  class Tag extends Array<unknown> {
    constructor(settings: object) {
      super();
      started.push(settings);
    }
  }
  const { queues, added } = report({ ...conversion, google: null, microsoft: '222' }, { UET: Tag });
  const queue = [
    ...['consent', 'default', { ad_storage: 'denied' }],
    ...['consent', 'update', { ad_storage: 'granted' }],
    ...['event', 'submit_lead_form', { transaction_id: 'd4f1' }],
  ];
  expect(queues['uetq']).toEqual(queue);
  expect(callsIn(queues)).toEqual([]);
  expect(added.map(({ src }) => src)).toEqual(['https://bat.bing.com/bat.js']);
  added[0]?.onLoad?.();
  expect(queues['uetq']).toBeInstanceOf(Tag);
  expect(started).toEqual([
    {
      ti: '222',
      q: queue,
      disableAutoPageView: true,
      enableAutoSpaTracking: false,
      storeConvTrackCookies: false,
    },
  ]);
});

test('a tag that a content blocker replaced by nothing leaves the queue as it is', () => {
  const { queues, added } = report({ ...conversion, google: null, microsoft: '222' });
  const queue = queues['uetq'];
  added[0]?.onLoad?.();
  expect(queues['uetq']).toBe(queue);
});
