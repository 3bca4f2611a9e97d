import { z } from 'zod'
import { id, page, type ReadTool, tool } from './read-tool.ts'

const blockchain = z.enum(['ethereum', 'polygon', 'base', 'solana'])
const UNITS = 'Amounts are base units: 1000000 is one USDC.'
const DECIMALS = 'Amounts are decimal text.'

/** Reads on core that an organization key and a service account have in common. */
export const COMMON_READ_TOOLS: readonly ReadTool[] = [
  tool(
    'list_operational_wallets',
    {
      title: 'List operational wallets',
      description: `Wallets that Weir manages, with buffer, available, reserved, deployed and exiting balance. Needs an organization key or a service account. ${DECIMALS}`,
    },
    page,
    async (weir, input) => weir.core.wallets.listMonitored(input),
  ),
  tool(
    'get_strategy_risk',
    {
      title: 'Get the risk of a strategy',
      description: 'Known facts about the risk of a strategy. Needs an organization key or a service account.',
    },
    { strategyId: id('Strategy id.') },
    async (weir, { strategyId }) => weir.core.strategyRisks.get(strategyId),
  ),
]

/** What a key reads on v1, apart from full account numbers and bytes to sign. */
export const KEY_READ_TOOLS: readonly ReadTool[] = [
  tool(
    'list_wallets',
    { title: 'List wallets', description: 'Wallets that the key sees.' },
    { userId: z.string().optional().describe('Only wallets of this user of your application.'), ...page },
    async (weir, input) => weir.v1.wallets.list(input),
  ),
  tool(
    'get_wallet',
    { title: 'Get a wallet', description: `A wallet with its balances by token. ${UNITS}` },
    { walletId: id('Wallet id.') },
    async (weir, { walletId }) => weir.v1.wallets.get(walletId),
  ),
  tool(
    'list_venues',
    { title: 'List venues', description: `Venues with their strategies, rates, limits and deposit states. ${UNITS}` },
    { blockchain: blockchain.optional(), token: z.string().max(20).optional().describe('Symbol, such as USDC.') },
    async (weir, input) => weir.v1.venues.list(input),
  ),
  tool(
    'list_allocations',
    { title: 'List allocations', description: `Positions of a wallet, with value, principal and yield. ${UNITS}` },
    { walletId: id('Wallet id.') },
    async (weir, input) => weir.v1.allocations.list(input),
  ),
  tool(
    'get_earnings',
    { title: 'Get earnings', description: `Yield of a wallet by day. ${UNITS}` },
    { walletId: id('Wallet id.'), blockchain, token: z.string().max(20).describe('Symbol, such as USDC.') },
    async (weir, input) => weir.v1.allocations.earnings(input),
  ),
  tool(
    'list_operations',
    {
      title: 'List operations',
      description: `Operations, newest first. explain_operation says more about one. ${UNITS}`,
    },
    {
      walletId: id('Only operations of this wallet.').optional(),
      status: z.enum(['PENDING', 'AWAITING_SIGNATURE', 'SUBMITTED', 'CONFIRMED', 'FAILED']).optional(),
      type: z.enum(['supply', 'unwind']).optional(),
      ...page,
    },
    async (weir, input) => weir.v1.operations.list(input),
  ),
  tool(
    'list_events',
    {
      title: 'List events',
      description:
        'Events, oldest first: operations, allocations, verifications, payments, exits, breaks between ledger and chain, circuit breakers. Pass the cursor of a result as `after` to read on.',
    },
    { after: id('Continue after this event.').optional(), limit: page.limit },
    async (weir, input) => weir.v1.events.list(input),
  ),
  tool(
    'list_exits',
    {
      title: 'List exits',
      description: `What was requested back from strategies that pay later. ${UNITS}`,
    },
    page,
    async (weir, input) => weir.v1.exits.list(input),
  ),
  tool(
    'list_ramp_transactions',
    {
      title: 'List payments',
      description: `Payments between banks and chains. Needs the permission ramp; with an admin key that only reads. ${DECIMALS}`,
    },
    { type: z.enum(['onramp', 'offramp']).optional(), ...page },
    async (weir, input) => weir.v1.ramp.transactions.list(input),
  ),
  tool(
    'quote_ramp',
    {
      title: 'Quote a payment',
      description: 'What a payment between bank and chain would cost and deliver. Needs the permission ramp.',
    },
    {
      usd_amount: z.number().positive().describe('US dollars.'),
      type: z.enum(['onramp', 'offramp']).default('onramp'),
    },
    async (weir, { usd_amount, type }) => weir.v1.ramp.quote({ usd_amount: `${usd_amount}`, type }),
  ),
]
