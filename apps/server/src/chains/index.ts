export { normalizeAddress } from './address.ts'
export * from './calls.ts'
export type { ChainClock, DevHead } from './dev/chain-clock.ts'
export { createDevChain, type DevChain, type DevChainParts } from './dev/create-dev-chain.ts'
export { createSolanaDevChain } from './dev/create-solana-dev-chain.ts'
export { CHAIN_FAULT_COUNT_MAX, CHAIN_FAULTS, type ChainFault } from './dev/faults.ts'
export type { Heartbeat } from './dev/gate.ts'
export type { JsonRpcResponse } from './dev/json-rpc.ts'
export { networkOf } from './dev/network-of.ts'
export { PARSE_ERROR, type RpcProxy } from './dev/rpc-proxy.ts'
export {
  addressOfSecret,
  signTokenTransfer,
  type TokenTransfer,
  tokenTransferCall,
  tokenTransferCost,
} from './dev/secret-key.ts'
export { signSolanaPayment, solanaPaymentCall } from './dev/solana-payment.ts'
export { paymentCall, signPayment, type TreasuryPayment, type TreasurySlot } from './dev/treasury.ts'
export { createEvmChain, type EvmChainParts } from './evm/create-evm-chain.ts'
export { type EvmFields, evmFields } from './evm/evm-fields.ts'
export * from './families.ts'
export { isPlanned, type Planned } from './is-planned.ts'
export { LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK } from './live-networks.ts'
export * from './networks.ts'
export * from './port.ts'
export { foreignEndpoints } from './rpc/foreign-endpoints.ts'
export type { Activity, Known } from './solana/activity.ts'
export { tokenAccountOf } from './solana/associated-token.ts'
export { createSolanaChain, type SolanaChainParts } from './solana/create-solana-chain.ts'
export { derivedAddress } from './solana/derived-address.ts'
export type { ProgramErrors } from './solana/errors.ts'
export { openTokenAccount, readable, u64, writable } from './solana/instructions.ts'
export { TOKEN_PROGRAM } from './solana/programs.ts'
