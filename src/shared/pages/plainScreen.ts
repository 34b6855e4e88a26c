import type { LeadOutcome } from '../leads/leadOutcomes.ts';
import type { TenantView } from '../providers/tenant.ts';

/** A screen of one question and one answer, rendered only on the server. It loads no script. */
export interface PlainScreenProps {
  withdraw:
    | { state: 'ask'; formToken: string }
    | { state: 'done' | 'reported' | 'unknown' | 'failed'; contactEmail: string };
  outcome:
    | {
        state: 'open';
        firstName: string;
        zipCode: string;
        /** The outcome recorded so far. */
        noted: LeadOutcome | null;
        /** Whether `noted` is a return that hasn't taken effect yet. */
        isPending: boolean;
        /** Whether two different outcomes were pressed within a minute, so that neither was recorded. */
        contradicts: boolean;
        /** Proves that the form was sent from this page. */
        formToken: string;
        /** What the link in the message says. */
        proposed: LeadOutcome;
      }
    | {
        state: 'returned' | 'moved' | 'gone' | 'restored' | 'expired' | 'unknown' | 'failed';
        contactEmail: string;
      };
  confirmAddress:
    { state: 'ask'; formToken: string } | { state: 'done' | 'unknown' | 'failed'; contactEmail: string };
  weeklyEmail:
    { state: 'ask'; formToken: string } | { state: 'done' | 'unknown' | 'failed'; contactEmail: string };
  signIn:
    | { state: 'ask'; formToken: string }
    | {
        state: 'reset' | 'invitation';
        formToken: string;
        /** Of the account: a password manager stores it with the password. */
        email: string;
        /** What is wrong with the password that was sent; null at first. */
        error: string | null;
      }
    | { state: 'changed' | 'unknown' | 'failed' | 'refused' | 'noProvider' };
}

/** The provider whose host shows a screen; null for the brand's. */
export type PlainScreenTenant = Pick<TenantView, 'name' | 'logoUrl' | 'initial' | 'iconTag'> | null;

export type PlainScreenName = keyof PlainScreenProps;

/** The inside of the body, the text of the one style tag, and the window's title. */
export interface DrawnScreen {
  title: string;
  html: string;
  css: string;
}

export type RenderScreen = <Name extends PlainScreenName>(
  name: Name,
  props: PlainScreenProps[Name],
  tenant: PlainScreenTenant,
) => DrawnScreen;
