import { z } from 'zod';
import { visibleText } from '../formats/text.ts';

/** Whom the audit log and a lead's history mean by them is nobody with an account. */
const reserved = new Set(['staff', 'system', 'visitor', 'clinic']);

/** Letters that look like one of a reserved name: of Greek, Cyrillic, Armenian, and the phonetic ones of Latin. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    α: 'a',
    ɑ: 'a',
    ᴀ: 'a',
    с: 'c',
    ϲ: 'c',
    ᴄ: 'c',
    е: 'e',
    ε: 'e',
    ᴇ: 'e',
    ƒ: 'f',
    ꜰ: 'f',
    ϝ: 'f',
  },
  ...{ і: 'i', ӏ: 'i', ι: 'i', ı: 'i', ɩ: 'i', ɪ: 'i', ł: 'i', l: 'i', '1': 'i', '|': 'i', ʟ: 'i' },
  ...{ м: 'm', μ: 'm', ᴍ: 'm', ν: 'v', ѵ: 'v', ᴠ: 'v', п: 'n', ո: 'n', η: 'n', ɴ: 'n' },
  ...{
    о: 'o',
    ο: 'o',
    օ: 'o',
    σ: 'o',
    ø: 'o',
    ᴏ: 'o',
    '0': 'o',
    г: 'r',
    ʀ: 'r',
    ѕ: 's',
    ꜱ: 's',
    տ: 's',
    '5': 's',
    $: 's',
  },
  ...{ т: 't', τ: 't', ŧ: 't', ᴛ: 't', у: 'y', ү: 'y', υ: 'y', γ: 'y', ʏ: 'y' },
};

/** What a name looks like: without accents, case, spaces and punctuation, and with letters for their look-alikes. */
function buildSkeleton(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/./gsu, (letter) => lookAlikes[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const reservedSkeletons = new Set([...reserved].map(buildSkeleton));

/** Scripts whose letters look like those of others, and that nobody uses beside them in one word. */
const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];
/** Their letters look like Latin capitals, and hardly anyone writes with them today. */
const imitating = /[\p{Script=Lisu}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Deseret}]/u;

function isMixed(word: string): boolean {
  return scripts.filter((script) => script.test(word)).length > 1;
}

/** Whether others could take the name for that of a reserved actor, or for another name. */
function isImitation(name: string): boolean {
  const isMisleading = imitating.test(name) || name.split(/\P{L}+/u).some(isMixed);
  return isMisleading || reservedSkeletons.has(buildSkeleton(name));
}

/** The name of an account or a token, as the audit log and a lead's history print it: nothing hidden, and in plain form. */
export const actorName = z
  .string()
  .transform((name) => visibleText(name.normalize('NFKC')).replace(/\s+/g, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, 'Name is required')
      .max(100, 'Use at most 100 characters')
      .refine((name) => !isImitation(name), 'This name is reserved'),
  );
