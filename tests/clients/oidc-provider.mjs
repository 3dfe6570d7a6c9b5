// A provider of OpenID Connect, as a test needs it: whoever signs in is the person that the test
// named last. `node oidc-provider.mjs PORT BOT`; POST /control {person, groups} changes it.

import http from "node:http";
import { Provider } from "oidc-provider";

const [port, bot] = process.argv.slice(2);
const people = new Map();
const state = { person: "anna" };
const SCOPES = "openid profile email groups offline_access";

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{
    client_id: "rich-agent",
    client_secret: "a+secret of:the client",
    redirect_uris: [`${bot}/oidc/callback`],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    backchannel_logout_uri: `${bot}/oidc/back-channel-logout`,
    backchannel_logout_session_required: true,
  }],
  scopes: SCOPES.split(" "),
  claims: { openid: ["sub"], profile: ["name", "locale", "zoneinfo"], email: ["email"], groups: ["groups"] },
  cookies: { keys: ["of the tests"] },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: false } },
  // The bot of a test is on a private address, which the provider calls no others by itself.
  fetch: (url, { dispatcher: _guard, ...options }) => globalThis.fetch(url, options),
  pkce: { required: () => true },
  interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  issueRefreshToken: async () => true,
  findAccount: (_context, id) => ({
    accountId: id,
    claims: async () => ({ sub: id, locale: "de", zoneinfo: "Europe/Berlin", ...people.get(id) }),
  }),
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope(SCOPES);
    await grant.save();
    return grant;
  },
});

// What the bot refuses would not be seen otherwise.
for (const event of ["backchannel.error", "server_error", "grant.error"]) {
  provider.on(event, (_context, error) => process.stderr.write(`${event}: ${error?.stack ?? error}\n`));
}
const answer = provider.callback();

async function control(request, response) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { person, ...claims } = JSON.parse(Buffer.concat(pieces).toString());
  state.person = person;
  people.set(person, { ...people.get(person), ...claims });
  response.writeHead(204).end();
}

http.createServer(async (request, response) => {
  if (request.url === "/control") return control(request, response);
  if (request.url.startsWith("/interaction/")) {
    return provider.interactionFinished(request, response, { login: { accountId: state.person } });
  }
  return answer(request, response);
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
