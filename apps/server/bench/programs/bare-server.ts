import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'

/** The simplest server: Fastify, `pg`, one row by its key, as JSON. No authentication, rate limit or schema. */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })
const app = Fastify()
app.get<{ Params: { organization: string; id: string } }>('/operations/:organization/:id', async ({ params }) => {
  const { rows } = await pool.query('select * from operations where organization_id = $1 and id = $2', [
    params.organization,
    params.id,
  ])
  return rows[0]
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
