export { createHttpSigner } from './http/http-signer.ts'
export { createKeystoreSigner } from './keystore/keystore-signer.ts'
export { createKmsSigner } from './kms/kms-signer.ts'
export { familyOf, type Signer, SignerRefused, SignerUnavailable } from './port.ts'
