export { normalizeAddress } from './addresses/normalize-address.ts'
export { ADDRESS_FORM, addressForm, requireAddress } from './addresses/require-address.ts'
export type { ChainClock, DevHead } from './dev/chain-clock.ts'
export { createDevChain, type DevChain, type DevChainParts } from './dev/create-dev-chain.ts'
export { createSolanaDevChain } from './dev/create-solana-dev-chain.ts'
export { CHAIN_FAULTS, type ChainFault } from './dev/faults.ts'
export type { JsonRpcResponse } from './dev/json-rpc.ts'
export { networkFromDeployment } from './dev/network-from-deployment.ts'
export type { Heartbeat } from './dev/read-write-lock.ts'
export { NODE_UNAVAILABLE, PARSE_ERROR, type RpcProxy } from './dev/rpc-proxy.ts'
export { sendersOf } from './dev/senders-of.ts'
export { signSolanaPayment, solanaPaymentCall } from './dev/solana-payment.ts'
export {
  addressFromSecret,
  signTokenTransfer,
  type TokenTransfer,
  tokenTransferCall,
  tokenTransferCost,
} from './dev/token-transfer.ts'
export { paymentCall, signPayment, type TreasuryPayment, type TreasurySigningContext } from './dev/treasury.ts'
export { EVM_CAPABILITIES } from './evm/capabilities.ts'
export { createEvmChain, type EvmChainParts } from './evm/create-evm-chain.ts'
export { MULTICALL3 } from './evm/reads/multicall.ts'
export { LIVE_EVM_NETWORKS, LIVE_SOLANA_NETWORK, liveNetwork } from './live-networks.ts'
export * from './port/blocks.ts'
export { CallUnfinishedError } from './port/call-unfinished.ts'
export * from './port/calls.ts'
export * from './port/capabilities.ts'
export * from './port/chain.ts'
export * from './port/families.ts'
export * from './port/included-transaction.ts'
export { consumesNonce, matchesPlan, type PlannedTransaction } from './port/matches-plan.ts'
export * from './port/networks.ts'
export { PastStateMissingError } from './port/past-state-missing.ts'
export * from './port/sender-state.ts'
export * from './port/transaction-bytes.ts'
export * from './port/wallet-activity.ts'
export { type EndpointReport, probeEndpoint } from './rpc/probe-endpoint.ts'
export type { RpcEndpointHealth, RpcObserver, RpcOutcome } from './rpc/rpc-observer.ts'
export { associatedTokenAddress } from './solana/addresses/associated-token-address.ts'
export { programDerivedAddress } from './solana/addresses/program-derived-address.ts'
export { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './solana/addresses/programs.ts'
export { createSolanaChain, type SolanaChainParts } from './solana/create-solana-chain.ts'
export type { ProgramErrors } from './solana/errors/transaction-errors.ts'
export {
  createAssociatedTokenIdempotent,
  readonlyAccount,
  u64,
  writableAccount,
} from './solana/transactions/instructions.ts'
