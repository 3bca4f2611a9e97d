import { generateKey, register } from '../src/identity/index.ts'
import { type Comparison, compare } from './compare.ts'
import { getLoad } from './http-load.ts'
import { seedOperations, seedWallets } from './seed.ts'
import { startServer } from './server-process.ts'
import type { Books, Workplace } from './workplace.ts'

const SMALL = { wallets: 100, operations: 1_000 }
const LARGE = { wallets: 100_000, operations: 1_000_000 }

/** Every way to ask for a list whose cost could grow with what there is. */
const ASKED = [
  '/v1/operations',
  '/v1/operations?status=confirmed',
  '/v1/operations?status=failed&type=supply',
  '/v1/operations?status=awaiting_signature',
  '/v1/wallets',
  '/v1/wallets?blockchain=polygon',
]

/** Lists of an organization with a million operations against the same lists of one with a thousand: 1 is flat. */
export async function listsBench(workplace: Workplace): Promise<Comparison[]> {
  const books = await workplace.books()
  const large = await organizationWith(books, LARGE)
  const small = await organizationWith(books, SMALL)
  const server = await startServer('weir-server', books.url)
  const comparisons: Comparison[] = []
  try {
    for (const path of ASKED) {
      for (const scope of ['organization', 'profile'] as const) {
        const ours = await getLoad('large', server.url + path, { 'x-api-key': large[scope] })
        const theirs = await getLoad('1,000 operations', server.url + path, { 'x-api-key': small[scope] })
        const title = `GET ${path} (${scope} key) at 1,000,000 operations`
        comparisons.push(await compare(title, ours, theirs, { rounds: 9, milliseconds: 300, target: 0.8 }))
        ours.close()
        theirs.close()
      }
    }
  } finally {
    await server.stop()
    await books.close()
  }
  return comparisons
}

async function organizationWith(books: Books, { wallets, operations }: typeof SMALL) {
  const { parts } = books
  const { organization } = await register(parts, {
    email: `with-${operations}@weir.example`,
    password: 'a long enough password',
    organizationName: `With ${operations}`,
  })
  const organizationId = organization.id
  await seedWallets(books, organizationId, wallets)
  await seedOperations(books, organizationId, operations)
  const { id: walletProfileId } = await parts.db
    .selectFrom('wallet_profiles')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return {
    organization: (await generateKey(parts, { organizationId, name: 'bench' })).apiKey,
    profile: (await generateKey(parts, { organizationId, name: 'bench', walletProfileId })).apiKey,
  }
}
