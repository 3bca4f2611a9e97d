import { type CoreClient, createCoreClient } from './core-client.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { type OutgoingRequest, Transport } from './transport.ts'
import { createV1Client, type V1Client } from './v1-client.ts'

/** A client of one service. It keeps no state besides its options. */
export class Weir {
  readonly v1: V1Client
  readonly core: CoreClient
  /** The same as `v1.operations`. */
  readonly operations: V1Client['operations']
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
    this.v1 = createV1Client(options, this.#transport)
    this.core = createCoreClient(options, this.#transport)
    this.operations = this.v1.operations
  }

  /** Sends any request with the credentials, retries and errors of this client. */
  request(request: OutgoingRequest, options?: CallOptions): Promise<Response> {
    return this.#transport.send(request, options)
  }
}
