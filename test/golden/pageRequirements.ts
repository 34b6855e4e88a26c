/** The requirements that each golden page of the main host shows. */
export const pageRequirements: Readonly<Record<string, string>> = {
  home: `
    P4.state.06 P5.valid.07 P5.valid.08 P5.valid.20 P5.valid.24 P5.valid.25 P6.role.01 P9.const.01
    P9.const.04 P9.const.05 P9.const.06 P9.const.32 D.people.01 D.people.04 D.hosts.09 D.leads.74
    D.conformity.13 D.conformity.29 P1.what.02 P1.what.03 P1.what.07 P1.people.01 P1.people.02 P1.people.03
    P1.people.04 P1.people.05 P1.people.06 P1.people.07 P1.site.04 P1.site.05 P1.site.06 P1.site.07
    P1.claims.01 P1.claims.02 P1.claims.03 P1.claims.04 P1.claims.05 P1.claims.06 P1.claims.07 P1.claims.17
    P2.routes.01 P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04 P2.landing.01 P2.landing.02 P2.landing.03
    P2.landing.04 P2.landing.05 P2.landing.06 P2.landing.07 P2.nav.02 P2.nav.03 P2.nav.04 P2.nav.05
    P2.nav.06 P2.cta.01 P2.cta.02 P2.cta.03 P2.how.01 P2.how.02 P2.how.03 P2.how.04 P2.how.05 P2.how.06
    P2.how.07 P2.faq.01 P2.faq.02 P2.faq.03 P2.faq.04 P2.faq.05 P2.faq.06 P2.faq.07 P2.calc.01 P2.calc.02
    P2.calc.03 P2.calc.04 P2.calc.05 P2.calc.06 P2.footer.01 P2.footer.02 P2.footer.03`,
  'provider-not-found': `
    P4.state.35 P7.call.06 P7.call.44 P8.error.16 D.hosts.18 D.hosts.20 D.conformity.13 P2.frame.01
    P2.frame.02 P2.frame.03 P2.frame.04 P2.micro.02`,
  homev2: `
    P5.valid.07 P6.role.01 D.leads.74 D.conformity.13 D.conformity.48 P1.claims.18 P2.routes.06 P2.frame.01
    P2.frame.02 P2.frame.03 P2.frame.04 P2.variant.01 P2.variant.02 P2.variant.04 P2.variant.05
    P2.variant.06 P2.variant.08 P2.variant.11 P2.variant.12 P2.variant.13`,
  start: `
    P5.valid.07 P5.valid.21 P6.role.01 D.leads.74 D.conformity.13 D.conformity.47 P2.routes.07 P2.frame.01
    P2.frame.02 P2.frame.03 P2.frame.04 P2.quiz.01 P2.quiz.02 P2.quiz.04 P2.quiz.07`,
  find: `
    P5.valid.07 P5.valid.22 P5.valid.23 P6.role.01 D.leads.74 D.conformity.13 D.conformity.46 P2.routes.08
    P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04 P2.find.01 P2.find.02 P2.find.03 P2.find.04 P2.find.05
    P2.find.07 P2.find.08 P2.find.09 P2.find.10 P2.find.11 P2.find.12 P2.find.13`,
  microsite: `
    P5.valid.07 P6.role.01 P7.call.03 P7.call.22 P9.const.09 D.hosts.17 D.leads.74 D.copy.11 D.conformity.13
    P2.routes.11 P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04 P2.micro.06 P2.micro.07 P2.micro.08
    P2.micro.09 P2.micro.10 P2.micro.11 P2.micro.13 P2.micro.15 P2.micro.18 P2.micro.20 P2.micro.21
    P2.micro.22 P2.micro.23 P2.micro.26 P2.micro.27`,
  clinics: `
    P6.role.01 D.copy.09 D.copy.10 D.conformity.13 P1.what.04 P1.claims.08 P1.claims.09 P1.claims.10
    P1.claims.11 P1.claims.12 P1.claims.13 P1.claims.14 P1.claims.15 P1.claims.16 P2.routes.10 P2.frame.01
    P2.frame.02 P2.frame.03 P2.frame.04 P2.recruit.01 P2.recruit.02 P2.recruit.03 P2.recruit.04
    P2.recruit.09 P2.recruit.12 P2.recruit.13 P2.recruit.14 P2.recruit.15 P2.recruit.16 P2.recruit.17
    P2.recruit.18 P2.recruit.19 P2.recruit.21 P2.recruit.22 P2.recruit.23 P2.recruit.24 P2.recruit.25
    P2.recruit.26 P2.recruit.27 P2.recruit.28 P2.recruit.29 P2.recruit.30 P2.recruit.31 P2.recruit.32
    P2.rmap.09 P2.rmap.10 P2.rmap.15`,
  map: `
    P6.role.01 P7.call.52 D.conformity.13 P2.routes.16 P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04
    P2.nav.08 P2.map.01 P2.map.02 P2.map.04 P2.map.05 P2.map.09`,
  'success-provider': `
    P6.role.01 P7.call.04 D.conformity.13 P2.routes.09 P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04
    P2.success.02 P2.success.04 P2.success.05 P2.success.06 P2.success.07 P2.success.10 P2.success.13
    P2.success.14 P2.success.15 P2.success.16 P2.success.17 P2.success.19 P2.success.21`,
  privacy: `
    P6.role.01 D.conformity.13 P2.routes.13 P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04 P2.footer.08
    P2.footer.12 P2.policy.01 P2.policy.02 P2.policy.03 P2.policy.04 P2.policy.05 P2.policy.06 P2.policy.07
    P2.policy.08 P2.policy.09`,
  terms: `
    P6.role.01 D.conformity.13 P1.what.06 P1.what.08 P1.site.08 P1.site.09 P2.routes.14 P2.frame.01
    P2.frame.02 P2.frame.03 P2.frame.04 P2.nav.07 P2.footer.06 P2.footer.07 P2.footer.09 P2.footer.10
    P2.footer.11 P2.footer.12 P2.policy.10 P2.policy.11`,
  refunds: `
    P6.role.01 D.conformity.13 P1.what.09 P2.routes.15 P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04
    P2.footer.13 P2.policy.14 P2.policy.15 P2.policy.16`,
  'not-found': `
    D.conformity.13 P2.routes.20 P2.frame.01 P2.frame.02 P2.frame.03 P2.frame.04 P2.lost.01 P2.lost.02
    P2.lost.03`,
  'success-no-provider': `
    D.conformity.27 D.conformity.28 P2.success.03 P2.success.05 P2.success.23 P2.success.24 P2.success.25
    P2.success.26 P2.success.27 P2.success.28`,
};
