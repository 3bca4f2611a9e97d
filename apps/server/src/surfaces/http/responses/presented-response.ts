/** A verb's result as the surface shows it. */
export interface PresentedResponse {
  readonly status: number
  readonly body: unknown
}
