import { sql } from 'kysely'
import { associatedTokenAddress, createAssociatedTokenIdempotent } from '../src/chains/index.ts'
import type { Fetch } from '../src/chains/rpc/endpoint.ts'
import { mintTo } from '../src/chains/solana/transactions/instructions.ts'
import { ManualClock } from '../src/kernel/index.ts'
import { seedCatalogue, seedsFromDeployment } from '../src/venues/index.ts'
import { createFollower } from '../src/watch/index.ts'
import { freshAddressOn } from '../testing/chains/fresh-address.ts'
import type { TestSolana } from '../testing/chains/test-solana.ts'
import { countStatements } from '../testing/database/count-statements.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import { inBulk } from './seed.ts'

/** What each wallet holds before anything is measured. */
const BALANCE = 1_000_000n
/** Wallets that one transaction funds: more do not fit into its 1,232 bytes. */
const FUNDED_AT_ONCE = 8

/** What one round cost the service. */
export interface RoundCost {
  readonly http: number
  /** The JSON-RPC calls of all HTTP requests, by method. */
  readonly calls: Readonly<Record<string, number>>
  readonly statements: number
  readonly milliseconds: number
  /** Of the service's own process, without PostgreSQL and the chain. */
  readonly processorMs: number
}

/** A service that follows a chain by its wallets, on a database of its own. */
export interface SolanaFollower {
  round(): Promise<RoundCost>
  close(): Promise<void>
}

/** The wallets that a follower knows. */
interface FollowedWallets {
  /** With {@link BALANCE}, by {@link fundWallets}. */
  readonly funded: readonly string[]
  /** Whose accounts nobody has opened. */
  readonly empty?: readonly string[]
}

/** New addresses, each with {@link BALANCE} of a token. */
export async function fundWallets(solana: TestSolana, count: number): Promise<string[]> {
  const { treasury } = solana
  const token = tokenOf(solana)
  const addresses = Array.from({ length: count }, () => freshAddressOn('solana'))
  for (let from = 0; from < count; from += FUNDED_AT_ONCE) {
    const instructions = addresses.slice(from, from + FUNDED_AT_ONCE).map(async (owner) => {
      const account = await associatedTokenAddress(owner, token)
      return [
        createAssociatedTokenIdempotent(treasury.address, owner, token, account),
        mintTo(token, account, treasury.address, BALANCE),
      ]
    })
    await solana.send(treasury, (await Promise.all(instructions)).flat())
  }
  return addresses
}

/** Tokens arrive in each wallet, in a block of its own. */
export async function payEach(solana: TestSolana, addresses: readonly string[]): Promise<void> {
  const token = tokenOf(solana)
  for (const address of addresses) {
    const account = await associatedTokenAddress(address, token)
    await solana.send(solana.treasury, [mintTo(token, account, solana.treasury.address, 1n)])
  }
}

/** Its clock stands still, so that no round has a job of the minute that another one lacks. */
export async function startSolanaFollower(
  workplace: BenchEnvironment,
  solana: TestSolana,
  { funded, empty = [] }: FollowedWallets,
): Promise<SolanaFollower> {
  const database = await workplace.openDatabase()
  let requests: string[][] = []
  const counted: Fetch = (url, init) => {
    const sent: { method: string }[] = [JSON.parse(String(init.body))].flat()
    requests.push(sent.map(({ method }) => method))
    // The embedded chain answers from one thread: on a busy machine it takes longer than a node is given.
    return fetch(url, { ...init, signal: null })
  }
  const chain = solana.byWallets(counted)
  const parts = { ...database.parts, clock: new ManualClock(), chains: new Map([['solana', chain]]) }
  await seedCatalogue(parts.db, seedsFromDeployment(solana.devnet.deployment))
  const { organizationId } = database
  await inBulk(database, async (tx) => {
    await sql`
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, reconciled_block, created_at)
      select ${organizationId}, (select id from wallet_profiles where organization_id = ${organizationId}), 'solana',
        address, 0, now()
      from unnest(${[...funded, ...empty]}::text[]) address
    `.execute(tx)
    await sql`
      insert into ledger_balances (organization_id, wallet_id, token_address, available, external)
      select organization_id, id, ${tokenOf(solana)}, ${BALANCE.toString()}::numeric, -${BALANCE.toString()}::numeric
      from wallets where organization_id = ${organizationId} and blockchain = 'solana' and address = any(${funded})
    `.execute(tx)
  })
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  const { signal } = new AbortController()
  return {
    async round() {
      requests = []
      const [began, cpu] = [performance.now(), process.cpuUsage()]
      const { statements } = await countStatements(() => follower.round(signal))
      const { user, system } = process.cpuUsage(cpu)
      const byMethod = Map.groupBy(requests.flat(), (method) => method)
      return {
        http: requests.length,
        calls: Object.fromEntries([...byMethod].map(([method, all]) => [method, all.length])),
        statements,
        milliseconds: performance.now() - began,
        processorMs: (user + system) / 1_000,
      }
    },
    close: () => database.close(),
  }
}

const tokenOf = ({ devnet: { deployment } }: TestSolana): string => deployment.strategies[0]!.tokenAddress
