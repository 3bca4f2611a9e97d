export { normalizeAddress } from './addresses/normalize-address.ts'
export { ADDRESS_FORM, requireAddress } from './addresses/require-address.ts'
export type { ChainClock, DevHead } from './dev/chain-clock.ts'
export { createDevChain, type DevChain, type DevChainParts } from './dev/create-dev-chain.ts'
export { createSolanaDevChain } from './dev/create-solana-dev-chain.ts'
export { CHAIN_FAULT_COUNT_MAX, CHAIN_FAULTS, type ChainFault } from './dev/faults.ts'
export type { JsonRpcResponse } from './dev/json-rpc.ts'
export { networkFromDeployment } from './dev/network-from-deployment.ts'
export type { Heartbeat } from './dev/read-write-lock.ts'
export { PARSE_ERROR, type RpcProxy } from './dev/rpc-proxy.ts'
export { signSolanaPayment, solanaPaymentCall } from './dev/solana-payment.ts'
export {
  addressFromSecret,
  signTokenTransfer,
  type TokenTransfer,
  tokenTransferCall,
  tokenTransferCost,
} from './dev/token-transfer.ts'
export { paymentCall, signPayment, type TreasuryPayment, type TreasurySigningContext } from './dev/treasury.ts'
export { createEvmChain, type EvmChainParts } from './evm/create-evm-chain.ts'
export { decodeUnsigned, type EvmUnsignedFields } from './evm/decode-unsigned.ts'
export { LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK } from './live-networks.ts'
export * from './port/calls.ts'
export * from './port/chain.ts'
export * from './port/families.ts'
export { matchesPlan, type PlannedTransaction } from './port/matches-plan.ts'
export * from './port/networks.ts'
export { findWrongChainEndpoints } from './rpc/wrong-chain-endpoints.ts'
export { associatedTokenAddress } from './solana/associated-token-address.ts'
export { createSolanaChain, type SolanaChainParts } from './solana/create-solana-chain.ts'
export { createAssociatedTokenIdempotent, readonlyAccount, u64, writableAccount } from './solana/instructions.ts'
export { programDerivedAddress } from './solana/program-derived-address.ts'
export { TOKEN_PROGRAM } from './solana/programs.ts'
export type { ProgramErrors } from './solana/transaction-errors.ts'
