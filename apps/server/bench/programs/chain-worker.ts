import { createFollower } from '../../src/watch/index.ts'
import { connectParts } from '../bench-environment.ts'
import { AMOUNT, landed, planOne } from '../landed-supplies.ts'
import { createMemoryChain, TWO_CHAINS } from '../memory-chain.ts'

/**
 * A worker that follows chains from memory: `chain-worker.ts DATABASE_URL ORGANIZATION OPERATIONS CHAIN...`. On `prepare` it
 * plans that many supplies on each chain and puts them into a final block, on `follow` it settles the blocks of all its
 * chains side by side. It sends each word back when it is done.
 */
const [url = '', organization, operations, ...names] = process.argv.slice(2)
const organizationId = Number(organization)
const { signal } = new AbortController()
const chains = TWO_CHAINS.filter((chain) => names.includes(chain)).map((chain) => createMemoryChain(chain))
const { parts } = connectParts(url, ...chains)
const followed = await Promise.all(
  chains.map(async (chain) => {
    chain.allowance = AMOUNT
    const { blockchain } = chain.network
    const { id: strategyId } = await parts.db
      .selectFrom('strategies')
      .select('id')
      .where('blockchain', '=', blockchain)
      .executeTakeFirstOrThrow()
    const wallets = await parts.db
      .selectFrom('wallets')
      .select('id')
      .where('blockchain', '=', blockchain)
      .orderBy('id')
      .execute()
    const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
    await follower.round(signal)
    return { chain, strategyId, wallets, follower }
  }),
)

async function prepare(): Promise<void> {
  for (const { chain, strategyId, wallets } of followed) {
    const next = wallets.splice(0, Number(operations))
    const planned = await Promise.all(next.map(({ id }) => planOne({ parts, organizationId, strategyId }, id)))
    for (const { transactions } of planned) chain.supplied.set(transactions[0]!.sender, AMOUNT)
    chain.append(planned.map(landed))
  }
}

const follow = () => Promise.all(followed.map(({ follower }) => follower.round(signal)))

process.on('message', async (word) => {
  await (word === 'prepare' ? prepare() : follow())
  process.send?.(word)
})
process.once('disconnect', () => process.exit())
process.send?.('ready')
