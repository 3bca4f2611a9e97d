import Type from 'typebox'
import { ADDRESS_FORM, CHAIN_FAULTS } from '../../chains/index.ts'
import { ADVANCE_SECONDS_MAX, CHAIN_FAULT_COUNT_MAX } from '../../kernel/index.ts'
import { advanceTime, fundFromFaucet, listNetworks, type SandboxParts, setChainFault } from '../../sandbox/index.ts'
import { type App, runVerb } from '../http/index.ts'
import { parseAmount } from './parse-amount.ts'
import { blockchain, blockchainText, dateTime } from './schemas.ts'

const SandboxNetwork = Type.Object(
  {
    blockchain: blockchainText('Blockchain, lower case.'),
    chainId: Type.Optional(
      Type.Integer({
        description: 'EVM only. Unique to this service, so that signatures are not valid on other chains.',
      }),
    ),
    rpcUrl: Type.String({ description: 'JSON-RPC endpoint for standard client libraries on the same machine.' }),
    tokens: Type.Array(
      Type.Object({
        symbol: Type.String({ description: 'Symbol.' }),
        address: Type.String({ description: 'Token contract address.' }),
        decimals: Type.Integer({ description: 'Number of decimal places.' }),
      }),
      { description: 'Tokens of the faucet and the strategies.' },
    ),
  },
  { $id: 'SandboxNetwork', description: 'An embedded chain.' },
)

const FaucetGift = Type.Object(
  { txHash: Type.String({ description: 'Hash of the transfer, which is in a block.' }) },
  { $id: 'FaucetGift', description: 'A transfer from the faucet.' },
)

const ChainsTime = Type.Object(
  { now: dateTime('Current time of the embedded chains.') },
  { $id: 'ChainsTime', description: 'The time on the embedded chains.' },
)

const ChainFaultData = Type.Object(
  {
    blockchain,
    fault: Type.Enum([...CHAIN_FAULTS], { description: 'Kind of fault.' }),
    count: Type.Integer({ description: 'How many times the fault will occur.' }),
  },
  { $id: 'ChainFault', description: 'The current setting of a fault.' },
)

const tags = ['Sandbox']
const reads = { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' } as const
const writes = {
  access: { surface: 'v1', needs: 'write', permission: 'plan' },
  limit: 'v1.write',
  audit: { object: 'sandbox' },
} as const

export interface SandboxRouteParts extends SandboxParts {
  /** The base of every URL in responses. */
  readonly publicUrl: string
}

/** The sandbox on v1 (contract 13); not registered in live. */
export function sandboxRoutes(app: App, parts: SandboxRouteParts): void {
  app.get(
    '/v1/sandbox/networks',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listSandboxNetworks',
        summary: 'List the embedded chains',
        description:
          'Includes RPC endpoints and tokens. The endpoints accept only callers on the same machine as the service.',
        response: { 200: Type.Array(SandboxNetwork, { description: 'The embedded chains.' }) },
      },
    },
    async () =>
      listNetworks(parts, parts.publicUrl).map(({ chainId, tokens, ...network }) => ({
        ...network,
        ...(chainId !== undefined && { chainId }),
        tokens: [...tokens],
      })),
  )

  app.post(
    '/v1/sandbox/faucet',
    {
      config: { ...writes, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'giveFromFaucet',
        summary: 'Fund an address from the faucet',
        description:
          'Returns once the transfer is in a block. The first tokens for an address include 10 native coins for gas, unless `withGas` is false or `token` is `native`. Limits per call: 10^18 base units of a token or 10^24 of the native coin; on Solana 10^15 and 10^13. Errors: VALIDATION_ERROR for a chain that is not embedded or does not have the token; INVALID_ADDRESS; TOKEN_NOT_FOUND for a symbol that none of the configured chains has; INVALID_AMOUNT; AMOUNT_OUT_OF_BOUNDS; SIMULATION_FAILED if the address is a contract that rejects the transfer; CHAIN_UNAVAILABLE, with `details.txHash` if the transfer is stored and will be sent later.',
        body: Type.Object({
          walletAddress: Type.String({
            description: `Any valid address of the chain, registered or not: ${ADDRESS_FORM}`,
          }),
          blockchain,
          token: Type.String({
            description: '`USDC`, `USDT` (not on base) or `native`.',
            examples: ['USDC'],
          }),
          amount: Type.String({
            description: 'Base units: "1000000" is one USDC.',
            examples: ['1000000000'],
          }),
          withGas: Type.Optional(
            Type.Boolean({ description: 'Whether the first call for an address includes gas. Defaults to true.' }),
          ),
        }),
        response: { 200: FaucetGift },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const present = ({ txHash }: { txHash: string }) => ({ txHash })
      const input = { ...request.body, organizationId, amount: parseAmount(request.body.amount) }
      return runVerb(reply, 200, present, (transact) => fundFromFaucet(parts, input, transact))
    },
  )

  app.post(
    '/v1/sandbox/advance-time',
    {
      config: { ...writes, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'advanceTime',
        summary: 'Advance the clocks of the embedded chains',
        description:
          'All embedded chains advance together: yield accrues, values are refreshed, and a yield snapshot is taken for each day skipped. A year takes a few seconds. Sessions, leases and expiries use the clock of the service, which does not change.',
        body: Type.Object({
          seconds: Type.Integer({
            minimum: 1,
            maximum: ADVANCE_SECONDS_MAX,
            description: 'Number of seconds, at most one year.',
          }),
        }),
        response: { 200: ChainsTime },
      },
    },
    async ({ body }) => ({ now: (await advanceTime(parts, body.seconds)).now.toISOString() }),
  )

  app.post(
    '/v1/sandbox/chain-faults',
    {
      config: { ...writes, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'setChainFault',
        summary: 'Inject a fault into an embedded chain',
        description:
          '`rpc_down` rejects the next `count` requests of the service to the chain, `simulation_fails` the next simulations. `drop_next` accepts the next transactions of registered wallets and drops them, `revert_next` mines them as failed, `delay_next` delays them for 20 blocks. `count` replaces the remaining count of the fault; 0 removes it. Error: VALIDATION_ERROR, including for a chain that is not embedded.',
        body: Type.Object({
          blockchain,
          fault: Type.Enum([...CHAIN_FAULTS], { description: 'Kind of fault.' }),
          count: Type.Integer({
            minimum: 0,
            maximum: CHAIN_FAULT_COUNT_MAX,
            description: 'How many times the fault occurs.',
          }),
        }),
        response: { 200: ChainFaultData },
      },
    },
    async ({ body: { blockchain, fault, count } }) => {
      await setChainFault(parts, { blockchain, fault, count })
      return { blockchain, fault, count }
    },
  )
}
