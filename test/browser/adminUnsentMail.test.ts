import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { loadBundle, mailRenderer } from '#server/render/bundle.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { mail } from '#shared/brand/mail.ts';
import type { MailName } from '#shared/mail/mail.ts';
import { mailLogoPath } from '#shared/shareImages/shareImage.ts';
import { unsentMailCopy } from '#client/admin/unsentMail/copy.ts';
import { visitAdmin } from '#test/support/adminVisit.ts';
import { browserApp, patience } from '#test/support/browser.ts';
import { mailSamples } from '#test/support/mailSamples.ts';
import { meets } from '#test/support/meets.ts';
import type { TestApp } from '#test/support/testApp.ts';

async function put(app: TestApp, name: MailName, address: string): Promise<void> {
  const renderMail = mailRenderer(await loadBundle());
  const clinic = { name: 'Quay Clinic', logoUrl: `${app.url}${mailLogoPath}`, hue: null };
  const site = { ...mailSamples[name].site, origin: app.url, clinic };
  const drawn = await renderMail(name, { ...mailSamples[name], site });
  await app.services.mail.mailer.send({
    id: randomUUID(),
    to: { name: 'Kit', address },
    replyTo: { name: 'Us', address: 'desk@brand.example' },
    rendered: drawn,
    unsubscribeUrl: null,
  });
}

describe('unsent mail', () => {
  test.each([1280, 360])(
    'lists messages at %i px and shows one as HTML, in an isolated frame, and as text',
    async (width) => {
      meets('D.deliveries.25 D.deliveries.26');
      await using app = await browserApp();
      await put(app, 'leadWelcome', 'kit@example.com');
      await put(app, 'providerLead', 'clinic@example.com');
      await using visitor = await visitAdmin(app, { width });
      const { page } = visitor;
      if (width < 1024)
        await page.locator('[data-tab-bar]').getByRole('button', { name: 'More' }).click(patience);
      await page.getByRole('link', { name: adminCopy.tabs.noMail }).waitFor(patience);
      await page.getByRole('tab', { name: 'Unsent mail' }).click(patience);
      const subjects = page.getByRole('table').getByRole('button');
      await expect
        .poll(() => subjects.allInnerTexts(), patience)
        .toEqual([mail.providerLead.subject('80202'), mail.welcome.subject]);
      await visitor.expectAccessible();
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      const table = page.getByRole('region', { name: unsentMailCopy.caption });
      expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
      await subjects.first().click();
      const drawer = page.getByRole('dialog', { name: 'New lead from 80202' });
      const frame = drawer.frameLocator('iframe');
      await frame.getByRole('heading', { name: mail.providerLead.heading }).waitFor(patience);
      const logo = frame.getByRole('img');
      await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth), patience).toBe(320);
      const inside = page.frames().find((each) => each !== page.mainFrame());
      expect(await inside?.evaluate(() => [origin, window.parent === window])).toEqual(['null', false]);
      await drawer.getByRole('button', { name: unsentMailCopy.views.text }).click();
      await expect.poll(() => drawer.locator('pre').innerText(), patience).toContain('kit@example.com');
      await visitor.expectAccessible();
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached', ...patience });
    },
  );

  test('offers a retry if a message fails to load', async () => {
    await using app = await browserApp();
    await put(app, 'leadWelcome', 'kit@example.com');
    await using visitor = await visitAdmin(app, { expectedConsole: /ERR_FAILED/ });
    const { page } = visitor;
    const messages = '**/trpc/*unsentMail.get*';
    await page.route(messages, (route) => route.abort());
    await page.getByRole('tab', { name: 'Unsent mail' }).click(patience);
    await page.getByRole('table').getByRole('button').click(patience);
    const retry = page.getByRole('dialog').getByRole('button', { name: 'Try again' });
    await retry.waitFor(patience);
    await page.unroute(messages);
    await retry.click();
    await page.getByRole('dialog').frameLocator('iframe').getByRole('heading').first().waitFor(patience);
    expect(await retry.count()).toBe(0);
  });

  test('shows a hostile message without running it', async () => {
    await using app = await browserApp();
    const html =
      '<html><body><h1>Hello</h1><script>document.body.textContent = "ran"</script><img src="x" onerror="document.body.textContent = \'ran\'"><form action="/api/leads"><button>Press</button></form></body></html>';
    await app.services.mail.mailer.send({
      id: randomUUID(),
      to: { name: '', address: 'kit@example.com' },
      replyTo: { name: '', address: 'desk@brand.example' },
      rendered: { subject: '<b>Bold</b>', html, text: 'Hello' },
      unsubscribeUrl: null,
    });
    await using visitor = await visitAdmin(app, {
      expectedConsole: /sandboxed|NotSameOrigin|Content Security Policy/,
    });
    const { page } = visitor;
    await page.getByRole('tab', { name: 'Unsent mail' }).click(patience);
    await page.getByRole('button', { name: '<b>Bold</b>' }).click(patience);
    const frame = page.getByRole('dialog').frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Hello' }).waitFor(patience);
    await frame.getByRole('button', { name: 'Press' }).click();
    expect(await frame.locator('body').innerText()).not.toContain('ran');
    expect(await frame.getByRole('heading', { name: 'Hello' }).isVisible()).toBe(true);
  });

  test('is hidden for viewers, and if a mail server is configured', async () => {
    await using app = await browserApp();
    await using viewer = await visitAdmin(app, { role: 'viewer' });
    await viewer.page.getByRole('tab', { name: 'Insights' }).waitFor(patience);
    expect(await viewer.page.getByRole('tab', { name: 'Unsent mail' }).count()).toBe(0);
    await using configured = await browserApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    await using manager = await visitAdmin(configured, { path: '/admin?tab=outbox' });
    const selected = manager.page.getByRole('tab', { selected: true });
    await expect.poll(() => selected.innerText(), patience).toMatch(/^Leads/);
    expect(await manager.page.getByRole('tab', { name: 'Unsent mail' }).count()).toBe(0);
  });
});
