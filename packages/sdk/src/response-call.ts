/** Data with what its response's headers said. */
export interface DataWithResponse<T> {
  readonly data: T
  readonly status: number
  readonly requestId: string
  /** The service repeated the response of an earlier request with the same idempotency key. */
  readonly replayed: boolean
  readonly headers: Headers
}

/** A promise of the data, which also offers the response. */
export interface ResponseCall<T> extends Promise<T> {
  withResponse(): Promise<DataWithResponse<T>>
}

export function responseCall<T>(response: Promise<DataWithResponse<T>>): ResponseCall<T> {
  const data = response.then((result) => result.data)
  return Object.assign(data, {
    withResponse: () => {
      // A caller that asks for the response handles its errors there.
      data.catch(() => undefined)
      return response
    },
  })
}
