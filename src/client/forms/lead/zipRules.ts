import type { StepFormKey } from '#shared/pages/brandContent.ts';
import { cleanText } from '#shared/leads/leadFields.ts';
import { zipInText } from '#shared/leads/zip.ts';

/** What a ZIP must be to lead on to the second step. Whether it exists is no question here: no lead is refused for its ZIP. */
const accepted: Record<StepFormKey, (zip: string) => boolean> = {
  quiz: (zip) => zip.length === 5,
  find: (zip) => zip !== '',
};

/** The ZIP as the form goes on with it (an autofilled ZIP+4 without its last four), or null when it doesn't lead on. */
export function acceptedZip(form: StepFormKey, typed: string): string | null {
  const cleaned = cleanText(typed);
  const zip = cleaned.length > 5 ? (zipInText(cleaned) ?? cleaned) : cleaned;
  return accepted[form](zip) ? zip : null;
}
