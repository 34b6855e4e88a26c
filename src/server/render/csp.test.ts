import { expect, test } from 'vitest';
import { pagePolicy } from './csp.ts';

function buildPolicy(url: string | null): string {
  const video = url === null ? null : { url, poster: null, title: 'How it works' };
  return pagePolicy({ css: '', secure: false, video });
}

test('a video on another host adds only that host to frame-src', () => {
  const allowed = "; frame-src 'self' https://player.example;";
  const policy = buildPolicy('https://player.example/embed/1?x=2');
  expect(policy).toContain(allowed);
  expect(policy.replace(allowed, ';')).toBe(buildPolicy(null));
});

test.each([null, '/player.html', 'javascript:alert(1)', ''])('the video %j allows no other host', (url) => {
  expect(buildPolicy(url)).toBe(buildPolicy(null));
  expect(buildPolicy(url)).not.toMatch(/frame-src/);
});
