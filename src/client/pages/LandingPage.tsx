import { LazyCalculator } from '#client/sections/calculator/LazyCalculator.tsx';
import { ClosingBand } from '#client/sections/closingBand/ClosingBand.tsx';
import { FaqSection } from '#client/sections/FaqSection.tsx';
import { Hero } from '#client/sections/hero/Hero.tsx';
import { HowItWorks } from '#client/sections/howItWorks/HowItWorks.tsx';
import { LeadForm } from '#client/forms/lead/LeadForm.tsx';
import { PromoBanner } from '#client/sections/PromoBanner.tsx';
import { Trust } from '#client/sections/Trust.tsx';
import { useAddressWithoutOutcome } from '#client/browser/landingUrl.ts';
import { leadFields } from '#shared/leads/leadFieldList.ts';

/** The brand's landing page. */
export function LandingPage() {
  useAddressWithoutOutcome();
  return (
    <>
      <PromoBanner />
      <Hero onZip={offerZip} />
      <HowItWorks />
      <Trust />
      <LazyCalculator />
      <FaqSection />
      <ClosingBand>
        <LeadForm form="landing" />
      </ClosingBand>
    </>
  );
}

/** What `offerZip` wrote into the field. A second offer may replace it, but not what a visitor typed. */
const offered = new WeakMap<HTMLInputElement, string>();

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement ? control : null;
}

/**
 * Copies a ZIP entered elsewhere on the page (the hero) to the lead form: fills its ZIP field unless the visitor typed
 * something else there, scrolls to the form and focuses the first empty field. Returns false if the page has no lead
 * form.
 */
function offerZip(zip: string): boolean {
  const form = document.querySelector<HTMLFormElement>('form[data-lead-form]');
  if (form === null) return false;
  const zipInput = inputOf(form, 'zip_code');
  if (zipInput !== null && (zipInput.value === '' || zipInput.value === offered.get(zipInput))) {
    zipInput.value = zip;
    offered.set(zipInput, zip);
  }
  (form.closest('section') ?? form).scrollIntoView();
  const empty = leadFields.map((field) => inputOf(form, field)).find((input) => input?.value === '');
  (empty ?? zipInput)?.focus({ preventScroll: true });
  return true;
}
