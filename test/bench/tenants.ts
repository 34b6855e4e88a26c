import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';

/** Adds active providers with a domain of their own, varied as real ones are; returns their hosts. */
export async function addTenants(db: Database, count: number): Promise<string[]> {
  await db.execute(sql`
    insert into providers (name, practice_name, email, zip_code, address, phone, website, domain, logo_url, latitude, longitude, accepts_free_consultation, accepts_financing, theme_hue)
    select 'Dr. Sample ' || n, case when n % 3 > 0 then 'Sample Clinic No. ' || n end, 'clinic' || n || '@example.com', '80202', n || ' Sample Street, Denver, CO',
      '(303) 555-01' || lpad((n % 100)::text, 2, '0'), 'https://clinic' || n || '.example.com', 'clinic' || n || '.bench.example',
      case when n % 5 > 0 then '/logos/' || n || '.svg' end, 39 + random(), -105 + random(), n % 2 = 0, n % 3 = 0, case when n % 4 = 0 then n % 360 end
    from generate_series(1, ${count}::int) n`);
  await db.execute(sql`vacuum analyze providers`);
  return Array.from({ length: count }, (_, index) => `clinic${index + 1}.bench.example`);
}
