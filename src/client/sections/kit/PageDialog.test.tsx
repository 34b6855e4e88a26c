import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LabelsProvider } from '#client/ui/labels.ts';
import { PageDialog } from './PageDialog.tsx';

const dialog = (
  <PageDialog title="Terms" onClose={() => undefined}>
    The text
  </PageDialog>
);

function labeled(node: ReactNode): string {
  return renderToStaticMarkup(
    <LabelsProvider value={{ close: 'Close', dismiss: 'Dismiss' }}>{node}</LabelsProvider>,
  ).replaceAll(/ (?:class|style)="[^"]*"/g, '');
}

test('a dialog of a page is named by its title, and the keyboard can scroll it', () => {
  const html = labeled(dialog);
  expect(html).toMatch(/<dialog aria-labelledby="([^"]+)".*<h2 id="\1">Terms<\/h2>/s);
  expect(html).toContain('aria-label="Close"');
  expect(html).toMatch(/<section tabindex="0"[^>]*>The text/);
});

test('a dialog outside of the provider of labels is a mistake', () => {
  expect(() => renderToStaticMarkup(dialog)).toThrow('LabelsProvider');
});
