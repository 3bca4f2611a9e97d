import Type from 'typebox'
import type { Chains } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { listAgents } from '../../../identity/index.ts'
import { AGENT_HEARTBEAT_RETENTION_MS, type Clock, DAY_MS } from '../../../kernel/index.ts'
import { listQuarantined } from '../../../operations/index.ts'
import { readGas } from '../../../rebalancing/index.ts'
import { listProgress } from '../../../watch/index.ts'
import { type App, blockchainText, envelope, id, ok } from '../../http/index.ts'
import { byEveryoneAndServiceAccounts } from '../access.ts'
import { orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { labelOf, walletLabel } from '../wallet-names.ts'

const SILENT_DAYS = AGENT_HEARTBEAT_RETENTION_MS / DAY_MS
const blockchain = blockchainText('Name of the chain.')
const address = Type.String({ description: 'Address of the wallet.' })
const walletId = id('Wallet id.')
const block = (description: string) => Type.Integer({ minimum: 0, description })

const Health = Type.Object(
  {
    agents: Type.Array(
      Type.Object({
        keyId: id('The key that the agent polls with.'),
        keyName: Type.String({ description: 'Its name.' }),
        polledAt: dateTime('When the agent last polled.'),
      }),
      { description: `Keys that an agent polled with in the last ${SILENT_DAYS} days, the one silent longest first.` },
    ),
    chains: Type.Array(
      Type.Object({
        blockchain,
        settledBlock: block('Everything up to this block is settled in the ledger.'),
        settledBlockAt: dateTime('The time of that block, by the clock of the chain.'),
        headBlock: block('The newest block that Weir has seen.'),
        movedAt: dateTime('When Weir last settled a block or saw a new one.'),
      }),
      { description: 'The chains that Weir follows.' },
    ),
    gas: Type.Array(
      Type.Object({
        walletId,
        address,
        label: Type.Optional(walletLabel),
        blockchain,
        transactionsLeft: orNull(
          block('Transactions.'),
          "How many more transactions the wallet's native coins pay for at the chain's current fees; null while the chain is unavailable, or where transactions cost nothing.",
        ),
      }),
      { description: 'The gas of the 100 oldest operational wallets, least first.' },
    ),
    quarantined: Type.Array(
      Type.Object({
        walletId,
        address,
        label: Type.Optional(walletLabel),
        blockchain,
        since: dateTime('When settling it first failed.'),
        attempts: block('How often it was tried.'),
        nextAttemptAt: dateTime('When it is tried again.'),
      }),
      { description: 'Wallets whose settlement failed, longest ago first; at most 100. The others continue.' },
    ),
  },
  { $id: 'OrganizationHealth', description: 'The health of what an organization depends on.' },
)

interface HealthParts {
  readonly db: Database
  readonly chains: Chains
  readonly clock: Clock
}

/** Agents, chains, gas and quarantined wallets: `/api/core/organization/health`. */
export function organizationHealthRoutes(app: App, parts: HealthParts): void {
  app.get(
    '/api/core/organization/health',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags: ['Organization'],
        operationId: 'getOrganizationHealth',
        summary: 'Get the health of agents, chains and wallets',
        description:
          'When your agents last polled, how far Weir follows each chain, how much gas operational wallets have left, and which wallets are quarantined. Reads the balances of native coins from the chains.',
        response: { 200: envelope(Health, 'The health.') },
      },
    },
    async (request) => {
      const { organizationId } = request.credential
      const [agents, chains, gas, quarantined] = await Promise.all([
        listAgents(parts, organizationId),
        listProgress(parts),
        readGas(parts, organizationId),
        listQuarantined(parts, organizationId),
      ])
      return ok({
        agents: agents.map(({ polledAt, ...key }) => ({ ...key, polledAt: polledAt.toISOString() })),
        chains: chains.map(({ settledBlockAt, movedAt, ...chain }) => ({
          ...chain,
          settledBlockAt: settledBlockAt.toISOString(),
          movedAt: movedAt.toISOString(),
        })),
        gas: gas.map(({ transactions, ...wallet }) => ({
          ...wallet,
          label: labelOf(wallet),
          transactionsLeft: transactions,
        })),
        quarantined: quarantined.map(({ since, nextAttemptAt, ...wallet }) => ({
          ...wallet,
          label: labelOf(wallet),
          since: since.toISOString(),
          nextAttemptAt: nextAttemptAt.toISOString(),
        })),
      })
    },
  )
}
