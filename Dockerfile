# Docent in one container: docker build -t docent . && docker run --init -p 4400:4400 -v docent:/data docent
FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has the right Node itself; the ones that npm installs for older machines only take space.
RUN npm install --no-save --omit=dev --no-audit --no-fund && rm -rf node_modules/node-* node_modules/.bin/node
COPY bin ./bin
COPY src ./src
COPY docs ./docs
COPY web ./web
RUN node web/build.ts
ENV DOCENT_DATA=/data DOCENT_HOST=0.0.0.0
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4400
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4400/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/app/main.ts"]
CMD ["serve"]
