import Fastify from 'fastify'
import type { App, ServerOptions } from './app.ts'

/** The HTTP server with everything that all routes share; it does not listen yet. `close()` stops it cleanly. */
export async function buildServer(options: ServerOptions): Promise<App> {
  const app: App = Fastify()
  options.routes(app)
  return app
}
