import { createFormSession, type FormApi, type Offline } from '#client/forms/formSession.ts';
import type { Created, FormRules, Refused } from '#client/forms/useFormController.ts';
import type { ApplicationCreateInput } from '#shared/applications/applications.ts';
import { applicationTexts } from '#shared/brand/application.ts';
import {
  applicationErrors,
  applicationOrder,
  type ApplicationValues,
  type ConsentedApplication,
  hasConsent,
  readApplication,
} from './applicationValues.ts';

/** The code for sending, and the toast's too: a failure is often a lost network, and then it could no longer be loaded. */
async function loadApi(): Promise<FormApi<ApplicationCreateInput, Created | Refused | Offline>> {
  const [{ applicationApi }] = await Promise.all([
    import('./applicationApi.ts'),
    import('#client/ui/Toaster.tsx').catch(() => null),
  ]);
  return applicationApi;
}

export const applicationRules: FormRules<ApplicationValues, ConsentedApplication> = {
  read: readApplication,
  errorsOf: applicationErrors,
  hasConsent,
  order: applicationOrder,
  texts: applicationTexts,
  createSession: (pageToken) =>
    createFormSession({
      pageToken,
      loadApi,
      inputOf: (values: ConsentedApplication, token) => ({ ...values, token }),
      fingerprintOf: (values) => JSON.stringify(applicationOrder.map((name) => values[name])),
      isOnline: () => navigator.onLine,
    }),
};
