import { describe, expect, test } from 'vitest';
import { groupColors } from '#client/admin/providers/MapLegend.tsx';
import { dashboardView } from '#client/admin/providers/ProvidersMap.tsx';
import { token, tokenValues } from '#client/theme/tokens.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { certifiedCount, mapCopy, network, recruitmentMap } from '#shared/brand/map.ts';
import { formCopy } from '#shared/brand/leadForm.ts';
import { messages } from '#shared/brand/messages.ts';
import { sliders } from '#shared/brand/measures.ts';
import { success } from '#shared/brand/success.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { stepForms } from '#shared/brand/stepForms.ts';
import { pressStrip } from '#shared/brand/variant.ts';
import { nameOfColor } from '#test/support/readColor.ts';
import { isFirstBrand } from '#test/support/firstBrand.ts';
import { meets } from '#test/support/meets.ts';
import { testApp } from '#test/support/testApp.ts';

const { quiz, find } = stepForms;

describe.skipIf(!isFirstBrand)('in the brand of the specification', () => {
  /** Words of the specification, which browser tests compare with the constants only. */
  test.each<[where: string, shown: unknown, specified: string]>([
    ['the popup of the recruitment map', recruitmentMap.certified, 'Certified Provider'],
    ['the badge of the recruitment map', certifiedCount(57), '57 Certified Providers'],
    ['the visitor’s pin', mapCopy.yourLocation, 'Your Location'],
    ['the button of the recruitment map', mapCopy.nearMe, 'Find Providers Near Me'],
    ['the failure of the recruitment map', recruitmentMap.failed, 'Failed to fetch providers'],
    ['the failure of the network map', network.failed, 'Failed to fetch active providers'],
    ['an empty response', messages.noData, 'No data received from server'],
    ['the press strip', pressStrip.title, 'As Seen On'],
    ['the busy button of the landing form', formCopy.submitting, 'Wait! Submitting...'],
    ['the busy button of the quiz', quiz.submitting, 'Wait! Submitting...'],
    ['the busy button of the lead form page', find.submitting, 'Submitting...'],
    ['the consent toast of the quiz', quiz.consentToast?.title, 'Consent Required'],
    ['the consent toast of the lead form page', find.consentToast?.title, 'Consent Required'],
    ['the ZIP toast of the quiz', quiz.zipToast.title, 'Invalid Zip Code'],
    ['its sentence', quiz.zipToast.description, 'Please enter a valid 5-digit zip code'],
    ['the ZIP toast of the lead form page', find.zipToast.title, 'ZIP Code Required'],
    ['its sentence', find.zipToast.description, 'Please enter your ZIP code to continue.'],
    ['the failure toast of the landing form', formCopy.failureTitle, 'Error'],
    ['its default', formCopy.failure, 'Failed to submit form. Please try again later.'],
    ['the failure toast of the quiz', quiz.failureTitle, 'Error'],
    ['its default', quiz.failure, 'Failed to submit form. Please try again later.'],
    ['the failure toast of the lead form page', find.failureTitle, 'Something went wrong'],
    ['its default', find.failure, 'Please try again later.'],
    [
      'the name of the provider in the two-step forms',
      matchPreviewTexts.found('80202'),
      'Your provider near 80202:',
    ],
    ['the loading success page', success.loading, 'Loading provider information...'],
    ['the total of more leads than are counted', leadCopy.total(100_000, true), 'Total: 100,000+ leads'],
    ['the default of a failed bulk retry', adminMessages.bulkRetrySync.failed, 'Failed to retry sync'],
  ])('%s reads as specified', (_, shown, specified) => {
    meets(`
      P4.state.14 P4.state.15 P5.valid.10 P5.valid.14 P5.valid.16 P7.call.25 P8.error.03
      P8.error.04 P8.error.06 P8.error.08 P8.error.09 P8.error.11 P8.error.13 P8.error.15
      P8.error.43 D.leads.62 P2.variant.09 P2.success.09 P2.rmap.02 P2.rmap.04 P2.rmap.05
      P2.rmap.08
    `);
    expect(shown).toBe(specified);
  });

  test('the pins of the dashboard are violet and gray', () => {
    meets('P2.admin.63');
    expect(groupColors.active).toBe(token.secondary);
    expect([tokenValues.secondary, groupColors.inactive].map(nameOfColor)).toEqual(['violet', 'gray']);
  });

  test('the dashboard’s map has the specified view', () => {
    meets('P2.admin.57 P9.const.15');
    expect(dashboardView).toEqual({ center: { latitude: 39.8283, longitude: -98.5795 }, zoom: 4 });
  });

  test('the sliders have the specified steps', () => {
    meets('P5.valid.26 D.conformity.30');
    expect(Object.values(sliders).map(({ step }) => step)).toEqual([0.1, 0.1]);
  });

  test('the page declares the specified colors and the duration of animations', async () => {
    meets('P9.const.26 P9.const.27 P9.const.28 P9.const.29 P9.const.30 P9.const.31');
    expect(tokenValues).toMatchObject({ accent: '#b24ae0', background: '#ffffff' });
    await using app = await testApp();
    const { text } = await app.get('/');
    expect(text).toMatch(/--primary:\s*#4b157a;/);
    expect(text).toMatch(/--secondary:\s*#7928ca;/);
    expect(text).toMatch(/--accent:\s*#b24ae0;/);
    expect(text).toMatch(/--background:\s*#ffffff;/);
    expect(text).toMatch(/--foreground:\s*#333333;/);
    expect(text).toMatch(/--transition:\s*0?\.45s /);
  });
});
