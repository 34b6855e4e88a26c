import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Alert, Warning } from './Alert.tsx';
import { Badge } from './Badge.tsx';
import { Combobox } from './Combobox.tsx';
import { DayInput } from './DayInput.tsx';
import { LabelsProvider } from './labels.ts';
import { Picture } from './Picture.tsx';
import { Select } from './Select.tsx';
import { Skeleton } from './Skeleton.tsx';
import { Span } from './Span.tsx';
import { StackedTable, TableFrame } from './Table.tsx';
import { TabList, TabPanel } from './Tabs.tsx';

const nothing = () => undefined;

/** What assistive technology and scripts find, without classes. */
function markup(node: ReactNode): string {
  const labeled = <LabelsProvider value={{ close: 'Close', dismiss: 'Dismiss' }}>{node}</LabelsProvider>;
  return renderToStaticMarkup(labeled).replaceAll(/ (?:class|style)="[^"]*"/g, '');
}

/** The first start tag of an element with this text in it. */
function tagWith(html: string, text: string): string {
  return html.match(/<[a-z][^>]*>/g)?.find((tag) => tag.includes(text)) ?? '';
}

test('of tabs, only the current one is a stop of the Tab key and controls the panel', () => {
  const tabs = ['leads', 'providers', 'sync'].map((key) => ({ key, label: `All ${key}` }));
  const html = markup(
    <>
      <TabList
        label="Sections"
        moreLabel="More"
        groups={[{ label: 'All', tabs }]}
        current="providers"
        onChoose={nothing}
      />
      <TabPanel current="providers">Content</TabPanel>
    </>,
  );
  const current = tagWith(html, 'id="tab-providers"');
  for (const part of [
    'role="tab"',
    'aria-selected="true"',
    'aria-controls="panel-providers"',
    'tabindex="0"',
  ])
    expect(current).toContain(part);
  for (const other of ['leads', 'sync']) {
    const tag = tagWith(html, `id="tab-${other}"`);
    for (const part of ['aria-selected="false"', 'tabindex="-1"']) expect(tag).toContain(part);
    expect(tag).not.toContain('aria-controls');
  }
  expect(tagWith(html, 'role="tabpanel"')).toContain('aria-labelledby="tab-providers"');
});

test('a select has its label, hidden or not, and its options', () => {
  const options = [
    { value: '', label: 'Any' },
    { value: 't', label: 'Active' },
  ];
  for (const isLabelHidden of [undefined, true]) {
    const html = markup(
      <Select
        label="Status"
        options={options}
        value="t"
        onChoose={nothing}
        {...(isLabelHidden === undefined ? {} : { isLabelHidden })}
      />,
    );
    expect(html).toMatch(/^<label><span>Status<\/span><select>/);
    expect(html).toContain('<option value="t" selected="">Active</option>');
  }
});

test('a day that is wrong is marked and described, one that is missing is empty', () => {
  const wrong = markup(
    <DayInput label="From" value="2026-05-31" onChoose={nothing} isInvalid describedBy="range-error" />,
  );
  for (const part of ['value="2026-05-31"', 'aria-invalid="true"', 'aria-describedby="range-error"'])
    expect(tagWith(wrong, 'type="date"')).toContain(part);
  const missing = tagWith(
    markup(<DayInput label="To" value={undefined} onChoose={nothing} />),
    'type="date"',
  );
  expect(missing).toContain('value=""');
  expect(missing).not.toContain('aria-');
});

test('a table says when it is loading, and can get the focus', () => {
  const frame = (options: { isBusy?: boolean }) =>
    tagWith(
      markup(
        <TableFrame label="Leads" {...options}>
          <StackedTable />
        </TableFrame>,
      ),
      'aria-label="Leads"',
    );
  expect(frame({})).toContain('aria-busy="false"');
  expect(frame({ isBusy: true })).toContain('aria-busy="true"');
  expect(frame({})).toContain('tabindex="-1"');
});

test('a closed combobox is a button that says what it opens, without its options', () => {
  const html = markup(
    <Combobox
      label="Assign lead 7"
      heading="Assign to"
      searchLabel="Search clinics"
      options={[{ id: 1, label: 'Alder Clinic' }]}
      optionsFor=""
      message={null}
      onOpen={nothing}
      onSearch={nothing}
      onPick={nothing}
    >
      Assign
    </Combobox>,
  );
  const button = tagWith(html, 'aria-label="Assign lead 7"');
  for (const part of ['aria-haspopup="dialog"', 'aria-expanded="false"']) expect(button).toContain(part);
  expect(html).not.toMatch(/Alder Clinic|Search clinics/);
});

test('a picture without a source is its fallback', () => {
  expect(markup(<Picture src="/a.png" alt="Alder" fallback="A" />)).toMatch(
    /<img src="\/a.png" alt="Alder"\/>$/,
  );
  expect(markup(<Picture src={null} alt="Alder" fallback="A" />)).toBe('A');
  expect(markup(<Picture src={null} alt="Alder" />)).toBe('');
});

test('an error is announced; warnings and badges are texts; a placeholder is silent', () => {
  expect(markup(<Alert title="Failed" message="Try again." />)).toMatch(/^<div role="alert">.*Try again\./s);
  const warning = markup(<Warning title="Paused" message="Nobody is matched." />);
  expect(warning).toContain('Nobody is matched.');
  expect(warning).not.toContain('role=');
  expect(markup(<Badge>New</Badge>)).toBe('<span>New</span>');
  expect(markup(<Skeleton />)).toBe('<span aria-hidden="true"></span>');
});

test('a span is one named image with its ends and a tick at each step of the gain', () => {
  const html = markup(
    <Span
      label="5.16 before, 6.20 after"
      gainFrom={5.16}
      end={6.2}
      scale={6.2}
      tickEvery={0.1}
      endText="6.20"
    />,
  );
  expect(tagWith(html, 'aria-label="5.16 before, 6.20 after"')).toContain('role="img"');
  const places = [...html.matchAll(/x1="([\d.]+)%" x2="\1%" y1="3" y2="9"/g)].map(([, x]) => Number(x));
  // 5.2 to 6.1: the ends have their own marks.
  expect(places.map((x) => (x * 6.2) / 100)).toEqual(
    Array.from({ length: 10 }, (_, at) => expect.closeTo(5.2 + at / 10, 3)),
  );
  expect(html).toMatch(/<text[^>]*text-anchor="end"[^>]*>6\.20</);
});

test('a span without a name is silent, and ends at its place without a gain', () => {
  const html = markup(<Span end={4.2} startText="You" endText="4.2 miles" />);
  expect(tagWith(html, '<svg')).toContain('aria-hidden="true"');
  expect(html).toContain('x1="0" x2="100%"');
  expect(html.match(/<line/g)).toHaveLength(3);
});
