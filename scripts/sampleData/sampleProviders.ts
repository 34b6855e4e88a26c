import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { type ProviderInsert, providers } from '#server/db/schema/index.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { parseHours } from '#shared/providers/detailValues.ts';
import { seededRandom } from './seededRandom.ts';
import { logoDataUrl, pictureDataUrl } from './sampleLogos.ts';

/**
 * Sixty fictional providers. Each line: name, kind, ZIP, town, area code of the phone, flags, theme hue in degrees.
 * Flags: c free consultation, f financing, i inactive, x no coordinates of its own.
 */
const table = `
Larkspur Ridge|Health|80202|Denver, CO|303|cf|
Alder & Vale|Men's Health|80206|Denver, CO|720|c|262
Copperline|Clinic|80111|Englewood, CO|303|i|
Boulder Fern|Wellness|80302|Boulder, CO|303||
Two Herons|Men's Clinic|10016|New York, NY|212|cf|212
Quiet Harbor|Health|11201|Brooklyn, NY|718|c|
Maple & Main|Men's Health|14604|Rochester, NY|585|x|
Ferrous Gate|Clinic|15222|Pittsburgh, PA|412|cf|
Little Lantern|Wellness|19103|Philadelphia, PA|215|c|18
Tidewater Row|Men's Health|21201|Baltimore, MD|410|f|
Ninefold|Clinic|20005|Washington, DC|202|c|
Juniper Dock|Health|23220|Richmond, VA|804||
Blue Trestle|Men's Clinic|28202|Charlotte, NC|704|cf|240
Longleaf & Co|Health|27601|Raleigh, NC|919||
Palmetto Lane|Men's Health|29401|Charleston, SC|843|c|
Peachwood|Clinic|30309|Atlanta, GA|404|cf|
Saltgrass|Men's Health|32202|Jacksonville, FL|904||
Mangrove & Mill|Clinic|33131|Miami, FL|305|cf|168
Orange Pier|Health|33602|Tampa, FL|813|c|
Five Cedars|Men's Clinic|37203|Nashville, TN|615||
Hollow Creek|Health|38103|Memphis, TN|901|i|
Bell & Harrow|Men's Health|35203|Birmingham, AL|205|f|
River Bench|Clinic|70112|New Orleans, LA|504|c|320
Magnolia Gate|Wellness|39120|Natchez, MS|601||
Ozark Lantern|Men's Health|72201|Little Rock, AR|501|cx|
Red Plain|Clinic|73102|Oklahoma City, OK|405||
Lone Juniper|Men's Health|75201|Dallas, TX|214|cf|
Bayou Compass|Clinic|77002|Houston, TX|713|cf|148
Limestone & Oak|Health|78701|Austin, TX|512|c|
Mesquite Row|Men's Clinic|79843|Marfa, TX|432|x|
Wheatline|Health|67601|Hays, KS|785|c|
Fountain & Fifth|Men's Health|64106|Kansas City, MO|816|cf|
Brick Arch|Clinic|63101|Saint Louis, MO|314|c|
Cornerstone Pond|Men's Clinic|52101|Decorah, IA|563||
Lakeline|Men's Health|60601|Chicago, IL|312|cf|196
Northern Birch|Clinic|55401|Minneapolis, MN|612|c|
Cream & Copper|Health|53202|Milwaukee, WI|414|i|
Motor Row|Men's Health|48226|Detroit, MI|313|c|
Buckeye Lane|Clinic|43215|Columbus, OH|614|cf|
Cuyahoga Fern|Health|44114|Cleveland, OH|216|f|
Speedwell|Men's Health|46204|Indianapolis, IN|317|c|
Granite Finch|Health|03101|Manchester, NH|603||
Birch & Beacon|Men's Clinic|02116|Boston, MA|617|cf|226
Pinecone Pier|Health|04609|Bar Harbor, ME|207|x|
Green Lathe|Clinic|05401|Burlington, VT|802||
Mountain Thistle|Health|59601|Helena, MT|406|f|
Sagebrush & Sons|Men's Health|83702|Boise, ID|208|c|
Salt Lantern|Clinic|84101|Salt Lake City, UT|801|cf|
Desert Larch|Men's Health|85004|Phoenix, AZ|602|cf|38
Turquoise Gate|Health|87501|Santa Fe, NM|505|x|182
Neon Juniper|Clinic|89101|Las Vegas, NV|702|f|
Western Arc|Men's Health|90017|Los Angeles, CA|213|cf|290
Fog & Fern|Clinic|94103|San Francisco, CA|415|c|
Coronado Kite|Health|92101|San Diego, CA|619|i|
Rose Quay|Men's Clinic|97205|Portland, OR|503|c|
Evergreen Slip|Health|98101|Seattle, WA|206|cf|
Northlight|Men's Health|99501|Anchorage, AK|907|c|
Trade Wind|Clinic|96813|Honolulu, HI|808|c|
Coral & Cedro|Men's Health|00901|San Juan, PR|787|c|
Frost Ford|Health|59301|Miles City, MT|406|ix|
`;

const officeHours = 'Mon-Thu 09:00-12:00, 13:00-17:00; Fri 09:00-14:00';

/** The maximum distance of a provider from its ZIP's center in each direction: a mile and a half. */
const offsetDegreesMax = 0.02;

function toSlug(name: string): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-');
}

/** Ids like those of a content-management system. */
const wordpressIdFirst = 9001;

function getProvider(line: string, index: number, random: () => number): ProviderInsert {
  const [short = '', kind = '', zipCode = '', town = '', area = '', flags = '', themeHue = ''] =
    line.split('|');
  const slug = toSlug(short);
  const name = `${short} ${kind}`;
  // The golden angle spreads the hues of adjacent lines. The first is near the brand's.
  const hue = themeHue === '' ? Math.round(300 + index * 137.5) % 360 : Number(themeHue);
  const center = loadZipTable().lookup(zipCode);
  const near = (degrees: number) => Number((degrees + (random() * 2 - 1) * offsetDegreesMax).toFixed(6));
  const coordinates =
    center === null || flags.includes('x')
      ? null
      : { latitude: near(center.latitude), longitude: near(center.longitude) };
  return {
    wordpressId: wordpressIdFirst + index,
    name,
    practiceName: index % 3 === 2 ? null : `${name} of ${town.split(',')[0]}`,
    address: `${100 + index} Sample Street, ${town}`,
    zipCode,
    status: flags.includes('i') ? 'f' : 't',
    latitude: coordinates?.latitude ?? null,
    longitude: coordinates?.longitude ?? null,
    phone: `(${area}) 555-01${String(index).padStart(2, '0')}`,
    email: `${slug}@example.com`,
    website: `https://${slug}.example.com`,
    url: `https://www.example.com/clinics/${slug}`,
    domain: `${slug}.localhost`,
    logoUrl: logoDataUrl({ name: short, kind, hue, mark: index }),
    imageUrl: index % 4 === 3 ? null : pictureDataUrl(hue, Math.floor(index / 2)),
    acceptsFreeConsultation: flags.includes('c'),
    acceptsFinancing: flags.includes('f'),
    themeHue: themeHue === '' ? null : hue,
    hours: index % 5 === 4 ? null : (parseHours(officeHours) ?? null),
    languages: index % 2 === 0 ? ['en', 'es'] : null,
  };
}

/** Sixty fictional providers from Maine to Hawaii, the same at each call. */
export function sampleProviders(): ProviderInsert[] {
  const random = seededRandom(60);
  return table
    .trim()
    .split('\n')
    .map((line, index) => getProvider(line, index, random));
}

/**
 * Sample hosts: a provider near Denver with payment plans and free consultation, one with its own hue, one with
 * neither.
 */
export function sampleHosts(): string[] {
  return ['Larkspur Ridge', 'Desert Larch', 'Boulder Fern'].map((name) => `${toSlug(name)}.localhost`);
}

/**
 * Inserts the sample providers, or others, into a database without providers, and changes no other database. Of
 * concurrent processes, one inserts, and the others wait for it.
 */
export async function seedSampleData(
  db: Database,
  samples: ProviderInsert[] = sampleProviders(),
): Promise<{ inserted: number }> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${providers} in share row exclusive mode`);
    const [existing] = await tx.select({ id: providers.id }).from(providers).limit(1);
    if (existing !== undefined) return { inserted: 0 };
    const rows = await tx.insert(providers).values(samples).returning({ id: providers.id });
    return { inserted: rows.length };
  });
}
