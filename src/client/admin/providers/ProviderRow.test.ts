import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { editHref } from './ProviderRow.tsx';

test('a provider is edited on the configured site', () => {
  expect(editHref({ wordpress_id: 7, url: null }, 'https://cms.example/blog')).toBe(
    'https://cms.example/blog/wp-admin/post.php?post=7&action=edit',
  );
});

test('without a configured site, a provider is edited on the site of its page', () => {
  expect(editHref({ wordpress_id: 7, url: 'https://cms.example/providers/ann/' })).toBe(
    'https://cms.example/wp-admin/post.php?post=7&action=edit',
  );
});

test.each([
  { wordpress_id: null, url: 'https://cms.example/' },
  { wordpress_id: 7, url: null },
  { wordpress_id: 7, url: 'not an address' },
  { wordpress_id: 7, url: 'javascript:alert(1)' },
])('a provider $wordpress_id at $url has no edit link', (provider) => {
  meets('P2.admin.45');
  expect(editHref(provider)).toBeNull();
});
