import { generateKey, register } from '../src/identity/index.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, compare } from './compare.ts'
import { getLoad } from './http-load.ts'
import { seedAllocations, seedOperations, seedUnapproved, seedWallets } from './seed.ts'
import { startServer } from './server-process.ts'

interface Size {
  readonly wallets: number
  readonly operations: number
  /** How many of the operations wait for an approval. */
  readonly waiting: number
  readonly closed: number
}

const SMALL: Size = { wallets: 100, operations: 1_000, waiting: 100, closed: 100 }
const LARGE: Size = { wallets: 100_000, operations: 1_000_000, waiting: 100_000, closed: 100_000 }
const TINY: Size = { wallets: 50, operations: 60, waiting: 20, closed: 10 }
/** Equal on both sides: the list includes the portfolio, which sums them. */
const OPEN = 20

type Credential = 'organization' | 'profile' | 'session'

/** Every list request whose cost could grow with the data, and the credentials to send it with. */
const ASKED: readonly (readonly [path: string, ...as: Credential[]])[] = [
  ['/v1/operations', 'organization', 'profile'],
  ['/v1/operations?status=confirmed', 'organization', 'profile'],
  ['/v1/operations?status=failed&type=supply', 'organization', 'profile'],
  ['/v1/operations?status=pending', 'organization', 'profile'],
  ['/v1/wallets', 'organization', 'profile'],
  ['/v1/wallets?blockchain=polygon', 'organization', 'profile'],
  ['/api/core/operations/history', 'session'],
  ['/api/core/operations/history?status=failed', 'session'],
  ['/api/core/operations/queue?limit=20', 'session'],
  ['/api/v1/allocations', 'session'],
  ['/api/v1/allocations?status=closed&limit=20', 'session'],
]

/** Compares lists of an organization with a million operations to lists of one with a thousand: 1 is flat. */
export async function listsBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const large = await organizationWith(database, workplace.sized(LARGE, TINY))
  const small = await organizationWith(database, workplace.sized(SMALL, { ...TINY, operations: 30 }))
  const server = await startServer('weir-server', database.url)
  const comparisons: Comparison[] = []
  const lanes = workplace.sized(32, 2)
  try {
    for (const [path, ...credentials] of ASKED) {
      for (const as of credentials) {
        const ours = await getLoad('large', server.url + path, large[as], lanes)
        const theirs = await getLoad('1,000 operations', server.url + path, small[as], lanes)
        const title = `GET ${path} (${as}) at 1,000,000 operations`
        const pace = workplace.sized(
          { rounds: 11, milliseconds: 300, warmUpMilliseconds: 1_000 },
          { rounds: 1, milliseconds: 10 },
        )
        comparisons.push(await compare(title, ours, theirs, { ...pace, target: 0.8 }))
        ours.close()
        theirs.close()
      }
    }
  } finally {
    await server.stop()
    await database.close()
  }
  return comparisons
}

async function organizationWith(
  database: BenchDatabase,
  { wallets, operations, waiting, closed }: Size,
): Promise<Record<Credential, Record<string, string>>> {
  const { parts } = database
  const { organization, accessToken } = await register(parts, {
    email: `with-${operations}@weir.example`,
    password: 'a long enough password',
    organizationName: `With ${operations}`,
  })
  const organizationId = organization.id
  await seedWallets(database, organizationId, wallets)
  await seedOperations(database, organizationId, operations - waiting)
  await seedUnapproved(database, organizationId, waiting)
  await seedAllocations(database, organizationId, { closed, open: OPEN })
  const { id: walletProfileId } = await parts.db
    .selectFrom('wallet_profiles')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return {
    organization: { 'x-api-key': (await generateKey(parts, { organizationId, name: 'bench' })).apiKey },
    profile: { 'x-api-key': (await generateKey(parts, { organizationId, name: 'bench', walletProfileId })).apiKey },
    session: { authorization: `Bearer ${accessToken}` },
  }
}
