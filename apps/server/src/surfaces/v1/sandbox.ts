import Type from 'typebox'
import { ADDRESS_FORM, CHAIN_FAULT_COUNT_MAX, CHAIN_FAULTS } from '../../chains/index.ts'
import {
  ADVANCE_SECONDS_MAX,
  advanceTime,
  fundFromFaucet,
  listNetworks,
  type SandboxParts,
  setChainFault,
} from '../../sandbox/index.ts'
import { type App, keyCredentialOf, runVerb } from '../http/index.ts'
import { blockchain, dateTime } from './schemas.ts'

const SandboxNetwork = Type.Object(
  {
    blockchain: Type.String({ description: 'Blockchain, lower case.' }),
    chainId: Type.Optional(
      Type.Integer({ description: 'EVM only. An id of its own: nothing signed here is good elsewhere.' }),
    ),
    rpcUrl: Type.String({ description: 'JSON-RPC endpoint for an ordinary client library on this machine.' }),
    tokens: Type.Array(
      Type.Object({
        symbol: Type.String({ description: 'Symbol.' }),
        address: Type.String({ description: 'Token contract address.' }),
        decimals: Type.Integer({ description: 'Digits after the point.' }),
      }),
      { description: 'Tokens that the faucet gives and strategies take.' },
    ),
  },
  { $id: 'SandboxNetwork', description: 'An embedded chain.' },
)

const FaucetGift = Type.Object(
  { txHash: Type.String({ description: 'Transaction that gave what was asked for; it is in a block.' }) },
  { $id: 'FaucetGift', description: 'What the faucet gave.' },
)

const ChainsTime = Type.Object(
  { now: dateTime('What the embedded chains’ clock shows now.') },
  { $id: 'ChainsTime', description: 'The time on the embedded chains.' },
)

const ChainFaultData = Type.Object(
  {
    blockchain,
    fault: Type.Enum([...CHAIN_FAULTS], { description: 'Which fault.' }),
    count: Type.Integer({ description: 'How often it will strike.' }),
  },
  { $id: 'ChainFault', description: 'A fault as it is set now.' },
)

const tags = ['Sandbox']
const reads = { access: { surface: 'v1', needs: 'read' }, limit: 'v1.read' } as const
const writes = { access: { surface: 'v1', needs: 'write' }, limit: 'v1.write' } as const

export interface SandboxRouteParts extends SandboxParts {
  /** Every address that is given out begins with it. */
  readonly publicUrl: string
}

/** The sandbox on v1 (contract 13); not for live, where these paths are unknown. */
export function sandboxRoutes(app: App, parts: SandboxRouteParts): void {
  app.get(
    '/v1/sandbox/networks',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listSandboxNetworks',
        summary: 'List the embedded chains',
        description: 'With their RPC endpoints and tokens. The endpoints answer on the machine of the service only.',
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
        summary: 'Give tokens to an address',
        description:
          'Answers once the transfer is in a block. The first tokens for an address bring 10 native coins for gas with them, unless `withGas` is false; when `token` is `native`, the amount is exact. At most 10^18 base units of a token, or 10^24 of the native coin, in one call; on Solana 10^15 and 10^13. Errors: VALIDATION_ERROR for a chain that is not embedded, or a token that this chain does not have; INVALID_ADDRESS; TOKEN_NOT_FOUND for a symbol that no chain here knows; INVALID_AMOUNT; AMOUNT_OUT_OF_BOUNDS; SIMULATION_FAILED when the address, a contract, refuses; CHAIN_UNAVAILABLE, with `details.txHash` when the transfer is stored and follows by itself.',
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
            description: 'Base units, as digits: "1000000" is one USDC.',
            examples: ['1000000000'],
          }),
          withGas: Type.Optional(Type.Boolean({ description: 'Whether a first call also gives gas. Default true.' })),
        }),
        response: { 200: FaucetGift },
      },
    },
    async (request, reply) => {
      const { organizationId } = keyCredentialOf(request)
      const present = ({ txHash }: { txHash: string }) => ({ txHash })
      return runVerb(reply, 200, present, (transact) =>
        fundFromFaucet(parts, { ...request.body, organizationId }, transact),
      )
    },
  )

  app.post(
    '/v1/sandbox/advance-time',
    {
      config: { ...writes, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'advanceTime',
        summary: 'Move the clocks of the embedded chains forward',
        description:
          'All embedded chains move together; yield accrues, values are refreshed, and a yield snapshot is taken for each day passed over. A year takes some seconds. Sessions, leases and expiries go by the clock of the service, which does not move.',
        body: Type.Object({
          seconds: Type.Integer({ minimum: 1, maximum: ADVANCE_SECONDS_MAX, description: 'How far: up to a year.' }),
        }),
        response: { 200: ChainsTime },
      },
    },
    async ({ body }) => ({ now: (await advanceTime(parts, body.seconds)).now.toISOString() }),
  )

  app.post(
    '/v1/sandbox/chain-faults',
    {
      config: writes,
      schema: {
        tags,
        operationId: 'setChainFault',
        summary: 'Make an embedded chain fail on purpose',
        description:
          '`rpc_down` refuses the next `count` requests of the service to the chain, `simulation_fails` the next simulations. `drop_next` accepts the next transactions of registered wallets and forgets them, `revert_next` mines them as failed, `delay_next` holds them for 20 blocks. `count` replaces what is left of that fault; 0 ends it. Error: VALIDATION_ERROR, also for a chain that is not embedded.',
        body: Type.Object({
          blockchain,
          fault: Type.Enum([...CHAIN_FAULTS], { description: 'Which fault.' }),
          count: Type.Integer({ minimum: 0, maximum: CHAIN_FAULT_COUNT_MAX, description: 'How often it strikes.' }),
        }),
        response: { 200: ChainFaultData },
      },
    },
    async ({ body: { blockchain, fault, count } }) => {
      setChainFault(parts, { blockchain, fault, count })
      return { blockchain, fault, count }
    },
  )
}
