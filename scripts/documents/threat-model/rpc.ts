import { AGENT_FILES, SERVER_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const RPC: ThreatenedPart = {
  id: 'rpc',
  name: 'RPC endpoints',
  zone: 'third party',
  trustedFor: 'blocks and broadcasts of their chain',
  notTrustedFor: 'what is signed',
  threats: [
    [
      'S',
      'serve another chain',
      'chain id or genesis hash is checked before use',
      `${SERVER_FILES}chains/rpc/rpc.test.ts`,
    ],
    [
      'S',
      'have the agent give up what it signed',
      'each endpoint proves its chain; bytes are given up only if all agree',
      'apps/agent/system/attacks/agent-chains.test.ts',
    ],
    [
      'T',
      'invent blocks or balances',
      'shown values can be false; settled ones follow final blocks and are rolled back',
      `${SYSTEM_TESTS}money/chain-faults.test.ts`,
    ],
    [
      'R',
      'deny a broadcast',
      'hashes and bytes are stored before they are sent',
      `${SERVER_FILES}chains/evm/sending/broadcast.test.ts`,
    ],
    [
      'I',
      'see keys in URLs and requests',
      'live requires https; logs show host and port only',
      `${SERVER_FILES}config/private-links.test.ts`,
    ],
    [
      'D',
      'be unavailable or endless',
      'the next endpoint serves; otherwise CHAIN_UNAVAILABLE and nothing changes',
      `${SERVER_FILES}chains/rpc/rpc.test.ts`,
    ],
    [
      'D',
      'send a response that takes gigabytes to parse',
      'bounded in bytes, values and nesting; the next endpoint takes over',
      `${SERVER_FILES}chains/rpc/endpoint.test.ts`,
    ],
    [
      'D',
      'invent a head far ahead, so that following waits for it',
      'the cursor moves no further than the chain can grow; a false head is forgotten after five minutes',
      `${SERVER_FILES}watch/follow-chain.test.ts`,
    ],
    [
      'D',
      'return numbers of megabytes',
      'at most 256 bits; otherwise CHAIN_UNAVAILABLE and nothing changes',
      `${SERVER_FILES}chains/rpc/hostile-nodes.test.ts`,
    ],
    [
      'E',
      'redirect to the operator’s network, or to plain http',
      'redirects are not followed',
      `${SERVER_FILES}chains/rpc/endpoint.test.ts`,
    ],
    [
      'E',
      'make the agent sign more',
      'only its own list and limits count',
      `${AGENT_FILES}system/attacks/agent.test.ts`,
    ],
  ],
}
