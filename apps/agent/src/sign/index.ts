export { evmDigest, evmSigned } from './evm.ts'
export { proofPayload, proofSignature } from './proof.ts'
export { compactOfDer } from './secp256k1.ts'
export { blockhashOf, solanaMessage, solanaSigned } from './solana.ts'
