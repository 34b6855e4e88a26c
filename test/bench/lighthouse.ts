import lighthouse from 'lighthouse';
import { chromium } from 'playwright';
import { chromiumArgs, findChromium } from '#test/support/chromium.ts';
import { freePort } from '#test/support/serverProcess.ts';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];

export interface PageScore {
  /** 0 to 100. */
  scores: Record<Category, number>;
  layoutShift: number;
  /** Milliseconds, on Lighthouse's simulated phone and network. */
  largestPaintMs: number;
  blockedMs: number;
  /** Lighthouse's own measure of the machine it runs on. */
  machine: number;
  /** Audits that cost points, each with what it costs at most in its category. */
  faults: string[];
}

/** What Lighthouse slows a fast desktop down by to stand for a mid-tier phone. */
export const usualSlowdown = 4;

/**
 * How much to slow this machine down: Lighthouse's documentation (docs/throttling.md, "Calibrating the CPU slowdown")
 * has its usual four for a fast desktop, two for a slow one, and one for a machine that is as slow as a phone already.
 * We never go below two.
 */
export function calibratedSlowdown(machine: number): number {
  return machine >= 1_500 ? usualSlowdown : 2;
}

/** One run of Lighthouse, mobile, in a browser of its own. */
export async function scorePage(address: string, slowdown: number): Promise<PageScore> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumArgs, `--remote-debugging-port=${port}`],
  });
  try {
    const result = await lighthouse(address, {
      port,
      onlyCategories: [...categories],
      throttling: { cpuSlowdownMultiplier: slowdown },
      logLevel: 'error',
    });
    if (result === undefined) throw new Error('Lighthouse gave no result');
    const { lhr } = result;
    if (lhr.runtimeError !== undefined) throw new Error(`${address}: ${lhr.runtimeError.message}`);
    const getScore = (category: Category): number => Math.round((lhr.categories[category]?.score ?? 0) * 100);
    const figure = (audit: string): number => lhr.audits[audit]?.numericValue ?? Number.NaN;
    return {
      scores: {
        performance: getScore('performance'),
        accessibility: getScore('accessibility'),
        'best-practices': getScore('best-practices'),
        seo: getScore('seo'),
      },
      layoutShift: figure('cumulative-layout-shift'),
      largestPaintMs: Math.round(figure('largest-contentful-paint')),
      blockedMs: Math.round(figure('total-blocking-time')),
      machine: lhr.environment.benchmarkIndex,
      faults: Object.values(lhr.categories).flatMap(({ id, auditRefs }) =>
        auditRefs.flatMap((reference) => {
          const score = lhr.audits[reference.id]?.score ?? 1;
          return reference.weight > 0 && score < 1
            ? [`${id}: ${reference.id} ${Math.round(score * 100)}`]
            : [];
        }),
      ),
    };
  } finally {
    await browser.close();
  }
}
