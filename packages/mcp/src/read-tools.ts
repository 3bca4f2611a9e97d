import { z } from 'zod'
import { RAMP_READ_TOOLS } from './ramp-read-tools.ts'
import { id, page, type ReadTool, symbol, tool, UNITS } from './read-tool.ts'

const blockchain = z.enum(['ethereum', 'polygon', 'base', 'solana'])

/** What a key reads on v1, apart from bytes to sign. */
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
    { blockchain: blockchain.optional(), token: symbol.optional() },
    async (weir, input) => weir.v1.venues.list(input),
  ),
  tool(
    'get_venue',
    { title: 'Get a venue', description: `A venue with its strategies, rates, limits and deposit states. ${UNITS}` },
    { venueId: id('Venue id.') },
    async (weir, { venueId }) => weir.v1.venues.get(venueId),
  ),
  tool(
    'list_allocations',
    { title: 'List allocations', description: `Positions of a wallet, with value, principal and yield. ${UNITS}` },
    { walletId: id('Wallet id.') },
    async (weir, input) => weir.v1.allocations.list(input),
  ),
  tool(
    'get_allocation_summary',
    {
      title: 'Get the sum of all positions',
      description: `Value, principal and yield of the positions of all wallets that the key sees. ${UNITS}`,
    },
    { blockchain: blockchain.optional() },
    async (weir, input) => weir.v1.allocations.summary(input),
  ),
  tool(
    'get_earnings',
    { title: 'Get earnings', description: `Yield of a wallet by day. ${UNITS}` },
    { walletId: id('Wallet id.'), blockchain, token: symbol },
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
    'get_transaction',
    {
      title: 'Get a transaction',
      description: 'A transaction of an operation: its status, hash, block and confirmations, never its bytes.',
    },
    { transactionId: id('Transaction id, as an operation has it.') },
    async (weir, { transactionId }) => weir.v1.transactions.get(transactionId),
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
    'get_exit',
    { title: 'Get an exit', description: `What one exit waits for, and since when. ${UNITS}` },
    { exitId: id('Exit id.') },
    async (weir, { exitId }) => weir.v1.exits.get(exitId),
  ),
  tool(
    'get_own_key',
    { title: 'Get what the key may do', description: 'Scope and permissions of the API key of this server.' },
    {},
    async (weir) => weir.core.apiKeys.validate(),
  ),
  ...RAMP_READ_TOOLS,
]
