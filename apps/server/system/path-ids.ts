/** How a request names objects: path parameters, query, body. */
export interface PathIds {
  readonly path?: Readonly<Record<string, number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/** Values shared by all organizations. */
export interface Common {
  readonly strategyId: number
  readonly venueId: number
  readonly tokenAddress: string
}
